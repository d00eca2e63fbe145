"""Train small residual networks of nine layers with PyTorch, on a GPU if there is one."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bribeproof._optional import require
from bribeproof._typing import ByteArray
from bribeproof.paper.ensemble.images.load import Images

if TYPE_CHECKING:
    import torch


_BATCH = 512
"""Largest batch size; small training sets have smaller batches, so that an epoch has about forty steps."""
_WARM_UP = 0.3
"""Share of the steps in which the learning rate rises; then it falls to 0."""
_RATE, _MOMENTUM, _DECAY = 0.4, 0.9, 5e-4
_PADDING = 4
_UPRIGHT = ("digits",)
"""Sets of images that must not be mirrored."""


def fit(images: Images, rows: NDArray[np.int64], *, width: int, epochs: int, seed: int) -> ByteArray:
    """Train a network on some training images, and predict the classes of all images.

    Parameters
    ----------
    images
        Training and test images.
    rows
        Indices of the training images that it sees.
    width
        Number of channels of the first layer; the last has eight times as many.
    epochs
        Number of passes over the images.
    seed
        Seed of the initial weights, the order of images, and the shifts and mirrorings. On one machine the same seed
        gives the same network up to rounding of parallel sums.

    Returns
    -------
    uint8 array
        The predicted class of each image, training images first.

    Raises
    ------
    MissingPackageError
        PyTorch is not installed.

    Notes
    -----
    K. He et al., "Deep Residual Learning for Image Recognition", CVPR 2016, in the small and fast
    variant for CIFAR-10 from the DAWNBench competition.
    """
    require("--model resnet", "torch")
    import torch
    from torch.nn import functional

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    labels = torch.from_numpy(images.train_labels[rows]).to(device)
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        torch.manual_seed(seed)
        network = _network(images.train.shape[3], width, len(images.classes)).to(device)
    network = network.to(memory_format=torch.channels_last)
    mean, deviation = float(images.train.mean()), float(images.train.std()) + 1e-6

    def pixels(part: Any) -> "torch.Tensor":
        tensor = torch.from_numpy(np.ascontiguousarray(part)).to(device).permute(0, 3, 1, 2).float()
        return ((tensor - mean) / deviation).contiguous(memory_format=torch.channels_last)

    rng = np.random.default_rng(seed)
    size = min(_BATCH, max(32, len(rows) // 40))
    steps = epochs * -(-len(rows) // size)
    chosen = [parameter for parameter in network.parameters() if parameter.requires_grad]
    descent = torch.optim.SGD(chosen, lr=_RATE, momentum=_MOMENTUM, weight_decay=_DECAY, nesterov=True)
    network.train()
    for step, batch in enumerate(_batches(len(rows), size, epochs, rng)):
        progress = (step + 1) / steps
        rate = _RATE * min(progress / _WARM_UP, (1 - progress) / (1 - _WARM_UP) + 1e-3)
        for group in descent.param_groups:
            group["lr"] = rate * min(1.0, len(batch) / _BATCH)
        seen = _augment(images.train[rows[batch]], rng, mirrored=images.name not in _UPRIGHT)
        with torch.autocast(device.type, enabled=device.type == "cuda"):
            loss = functional.cross_entropy(network(pixels(seen)), labels[batch], label_smoothing=0.1)
        descent.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        descent.step()
    network.eval()
    predictions = []
    with torch.inference_mode():
        for part in (images.train, images.test):
            predictions += [
                network(pixels(part[at : at + 2 * _BATCH])).argmax(1).cpu().numpy() for at in _starts(len(part))
            ]
    return np.concatenate(predictions).astype(np.uint8)


def _starts(count: int) -> range:
    """Return the start of each batch of images for prediction."""
    return range(0, count, 2 * _BATCH)


def _batches(count: int, size: int, epochs: int, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Yield batches with every image once an epoch, in a new order each time."""
    for _ in range(epochs):
        order = rng.permutation(count)
        yield from (order[start : start + size] for start in range(0, count, size))


def _augment(pixels: ByteArray, rng: np.random.Generator, *, mirrored: bool) -> ByteArray:
    """Shift images by a few random pixels, and mirror half of them."""
    height, width = pixels.shape[1:3]
    room = min(_PADDING, height // 8)
    padded = np.pad(pixels, ((0, 0), (room, room), (room, room), (0, 0)), mode="reflect")
    top, left = (rng.integers(2 * room + 1, size=len(pixels))[:, None] for _ in range(2))
    across = np.arange(width)[None, :] + left
    if mirrored:
        mirror = rng.random(len(pixels)) < 0.5
        across[mirror] = across[mirror][:, ::-1]
    down = np.arange(height)[None, :] + top
    moved: ByteArray = padded[np.arange(len(pixels))[:, None, None], down[:, :, None], across[:, None, :]]
    return moved


def _network(channels: int, width: int, classes: int) -> "torch.nn.Module":
    """Build the network: three halvings, two residual blocks, and the maximum of each channel."""
    from torch import nn

    def layer(before: int, after: int, *, halved: bool = False) -> nn.Module:
        parts: list[nn.Module] = [nn.Conv2d(before, after, 3, padding=1, bias=False)]
        parts += [nn.MaxPool2d(2)] if halved else []
        return nn.Sequential(*parts, nn.BatchNorm2d(after), nn.CELU(0.3))

    class Residual(nn.Module):
        """Two layers whose output is added to their input."""

        def __init__(self, size: int) -> None:
            super().__init__()
            self.inner = nn.Sequential(layer(size, size), layer(size, size))

        def forward(self, seen: "torch.Tensor") -> "torch.Tensor":
            added: torch.Tensor = seen + self.inner(seen)
            return added

    return nn.Sequential(
        layer(channels, width),
        layer(width, 2 * width, halved=True),
        Residual(2 * width),
        layer(2 * width, 4 * width, halved=True),
        layer(4 * width, 8 * width, halved=True),
        Residual(8 * width),
        nn.AdaptiveMaxPool2d(1),
        nn.Flatten(),
        nn.Linear(8 * width, classes),
    )
