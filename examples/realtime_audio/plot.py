#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The causal_conv1d authors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws what the example realtime_audio wrote: the spectrum before and after, and the gains in between."""

import argparse
import csv
import io
import pathlib
import wave

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import TwoSlopeNorm
from PIL import Image


def read_wav(path):
    """The first channel, between -1 and 1, and the sample rate."""
    with wave.open(str(path)) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2")
        return samples[:: file.getnchannels()] / 32768.0, file.getframerate()


def read_gains(path):
    """The bands' edges in Hz, the times in seconds, and the gains in dB as (times, bands)."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    edges = np.array(rows[0][1:], float)
    table = np.array(rows[1:], float)
    return edges, table[:, 0], table[:, 1:]


def spectrogram(samples, rate):
    """Power in dB of full scale, (frequencies, times): Hann windows of about 20 ms, every 5 ms."""
    size, step = int(rate * 0.02), int(rate * 0.005)
    windows = np.lib.stride_tricks.sliding_window_view(samples, size)[::step]
    window = np.hanning(size)
    spectrum = np.abs(np.fft.rfft(windows * window)) / (window.sum() / 2)
    times = np.arange(len(windows)) * step / rate + size / rate / 2
    return times, np.fft.rfftfreq(size, 1 / rate), 20 * np.log10(spectrum.T + 1e-6)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="where realtime_audio wrote its files")
    parser.add_argument("--seconds", type=float, default=6.0, help="how much to draw (default: %(default)s)")
    parser.add_argument("--picture", type=pathlib.Path, help="default: realtime_audio.png in the folder")
    arguments = parser.parse_args()

    before, rate = read_wav(arguments.folder / "realtime_audio_input.wav")
    after, _ = read_wav(arguments.folder / "realtime_audio.wav")
    edges, times, gains = read_gains(arguments.folder / "realtime_audio_gains.csv")
    seconds = min(arguments.seconds, len(before) / rate)
    count = int(seconds * rate)
    chunks = int(seconds * 100)
    top = edges[-1]

    plt.rcParams.update({"font.size": 10, "axes.titlesize": 11, "axes.titlelocation": "left"})
    figure, axes = plt.subplots(3, 1, figsize=(10, 8), sharex=True, layout="constrained")
    figure.suptitle("A hearing aid of causal convolutions, run live in chunks of 10 ms", fontsize=13)
    for axis, title, samples in (
        (axes[0], "Before: the recording", before),
        (axes[2], "After: the sum of the bands, each times its gain", after),
    ):
        mesh = axis.pcolormesh(*spectrogram(samples[:count], rate), cmap="magma", vmin=-95, vmax=-25, rasterized=True)
        axis.set_title(title)
        figure.colorbar(mesh, ax=axis, label="dB of full scale", pad=0.01)
    mesh = axes[1].pcolormesh(
        np.concatenate([[0.0], times[:chunks]]),
        edges,
        gains[:chunks].T,
        cmap="PuOr_r",
        norm=TwoSlopeNorm(0, -30, 15),
        rasterized=True,
    )
    axes[1].set_title(f"Gain of each of the {len(edges) - 1} bands")
    figure.colorbar(mesh, ax=axes[1], label="dB", pad=0.01, ticks=[-30, -15, 0, 5, 10, 15], extend="min")
    ticks = [tick for tick in (0, 500, 1000, 2000, 4000, 8000, 16000) if tick <= top]
    for axis in axes:
        # As the bands are spaced: nearly even at low frequencies, by ratio at high ones.
        axis.set_yscale(
            "function", functions=(lambda f: np.log1p(4 * f / top), lambda y: np.expm1(y) * top / 4)
        )
        axis.set_ylim(0, top)
        axis.set_yticks(ticks, [f"{tick / 1000:g}" for tick in ticks])
        axis.set_ylabel("frequency in kHz")
    axes[2].set_xlim(0, seconds)
    axes[2].set_xlabel("time in seconds")

    picture = arguments.picture or arguments.folder / "realtime_audio.png"
    drawn = io.BytesIO()
    figure.savefig(drawn, dpi=96)
    Image.open(drawn).convert("RGB").quantize(128).save(picture, optimize=True)  # a third of the size
    print(f"Written: {picture}")


if __name__ == "__main__":
    main()
