"""The table of real.py: which file of which package is read, how the tool reads it, and how its peers do."""

import gzip
import struct
import subprocess
import wave
from collections import namedtuple

import numpy as np
import pandas
from PIL import Image

# `path` lies below the root of the file system. `arguments` follow INPUT of the tool. `peer(path)` returns the same
# elements as an array. `make(path)` returns the bytes of an input that the file is turned into, for formats that the
# tool does not read. `extra` names checks beside the usual ones, with what they need.
File = namedtuple("File", "package path arguments peer make extra")


def file(package, path, arguments, peer, make=None, **extra):
    return File(package, path, arguments.split(" ") if isinstance(arguments, str) and arguments else list(arguments),
                peer, make, extra)


# ---- Peers

def npy(path):
    return np.load(path)


def member(name):
    return lambda path: np.load(path)[name]


def opened(path):
    return gzip.open(path) if str(path).endswith(".gz") else open(path, "rb")


def raw(dtype, skip=0):
    return lambda path: np.frombuffer(opened(path).read()[skip:], dtype)


def csv(column, skip=0, **options):
    """A column by its name or by its place from 0, read by pandas, each number rounded once."""
    def peer(path):
        table = pandas.read_csv(path, float_precision="round_trip", skiprows=skip, **options)
        values = table[column] if isinstance(column, str) else table.iloc[:, column]
        return values.dropna().to_numpy("float64")
    return peer


def pcm(path):
    with wave.open(str(path)) as sound:
        return np.frombuffer(sound.readframes(sound.getnframes()), "<i2")


def samples(dtype):
    """The samples of a sound that Python's wave module does not read: the chunk `data`."""
    def peer(path):
        content = open(path, "rb").read()
        at = content.index(b"data")
        return np.frombuffer(content, dtype, struct.unpack("<I", content[at + 4:at + 8])[0] // np.dtype(dtype).itemsize,
                             at + 8)
    return peer


def pixels(path):
    return np.asarray(Image.open(path))


def volume(path):
    """The voxels of a NIfTI file; its header says their type and where they begin."""
    content = opened(path).read()
    order = "<" if struct.unpack("<i", content[:4])[0] == 348 else ">"
    kind = {2: "u1", 4: "i2", 8: "i4", 16: "f4", 64: "f8"}[struct.unpack(order + "h", content[70:72])[0]]
    shape = struct.unpack(order + "8h", content[40:56])
    count = int(np.prod(shape[1:1 + shape[0]]))
    return np.frombuffer(content, order + kind, count, int(struct.unpack(order + "f", content[108:112])[0]))


def sky(path):
    """The first image of a FITS file, in its own byte order."""
    content = open(path, "rb").read()
    cards = {content[i:i + 8].strip(): content[i + 10:i + 80].split(b"/")[0].strip() for i in range(0, 28800, 80)}
    begin = -(-(content.index(b"END" + b" " * 77) + 80) // 2880) * 2880
    count = int(cards[b"NAXIS1"]) * int(cards[b"NAXIS2"])
    return np.frombuffer(content, {b"16": ">i2", b"32": ">i4", b"-32": ">f4"}[cards[b"BITPIX"]], count, begin)


# ---- Files that are made

def as_npy(peer):
    def make(path):
        from io import BytesIO
        content = BytesIO()
        np.save(content, peer(path))
        return content.getvalue()
    return make


def piped(*command):
    return lambda path: subprocess.run([*command, str(path)], check=True, capture_output=True).stdout


FROM_SECOND_LINE = piped("tail", "-n", "+2")
ZSTD = piped("zstd", "-c", "-q")

PYTHON = "usr/lib/python3/dist-packages/"
SKLEARN, SCIPY, SKIMAGE = PYTHON + "sklearn/datasets/", PYTHON + "scipy/", PYTHON + "skimage/"
STATS, VEGA = PYTHON + "statsmodels/", PYTHON + "vega_datasets/_data/"
PLOTS, GDAL = "usr/share/matplotlib/mpl-data/sample_data/", "usr/share/gdal/"
GNUPLOT = "usr/share/doc/gnuplot/examples/"
SPATIAL, MNIST = "usr/lib/R/site-library/spData/misc/", "usr/share/datasets/fashion-mnist/"
BLANKS = ["--delimiter", " "]

FILES = [
  # Text
  file("python3-sklearn", SKLEARN + "data/iris.csv", "--column 1 --header yes", csv(0)),
  file("python3-sklearn", SKLEARN + "data/wine_data.csv", "--column 13", csv(12, 1, header=None), FROM_SECOND_LINE),
  file("python3-sklearn", SKLEARN + "data/breast_cancer.csv", "--column 4", csv(3, 1, header=None), FROM_SECOND_LINE),
  file("python3-sklearn", SKLEARN + "data/boston_house_prices.csv", "--column MEDV", csv("MEDV", 1), FROM_SECOND_LINE),
  file("python3-sklearn", SKLEARN + "data/diabetes_data_raw.csv.gz", ["--column", "3", *BLANKS],
       csv(2, header=None, sep=r"\s+")),
  file("python3-sklearn", SKLEARN + "data/digits.csv.gz", "--column 20", csv(19, header=None)),
  file("python3-statsmodels", STATS + "datasets/macrodata/macrodata.csv", "--column realgdp", csv("realgdp"),
       keys="year"),
  file("python3-statsmodels", STATS + "datasets/elnino/elnino.csv", "--column JAN", csv("JAN")),
  file("python3-statsmodels", STATS + "datasets/fair/fair.csv", "--column affairs", csv("affairs")),
  file("python3-statsmodels", STATS + "datasets/randhie/randhie.csv", "--column mdvis", csv("mdvis"), keys="lncoins"),
  file("python3-statsmodels", STATS + "datasets/grunfeld/grunfeld.csv", "--column invest", csv("invest"), keys="year"),
  file("python3-statsmodels", STATS + "datasets/co2/co2.csv", "--column co2 --missing skip", csv("co2")),
  file("python3-statsmodels", STATS + "datasets/danish_data/data.csv", "--column lpy", csv("lpy")),
  file("python3-statsmodels", STATS + "datasets/anes96/anes96.csv", "--column 1 --type int", csv(0, sep="\t")),
  file("python3-statsmodels", STATS + "genmod/tests/results/inv_gaussian.csv", "--column x1", csv("x1")),
  file("python3-statsmodels", STATS + "datasets/star98/star98.csv", "--column AVYRSEXP", csv("AVYRSEXP")),
  file("python3-statsmodels", STATS + "datasets/fertility/fertility.csv", "--column 1960 --missing skip", csv("1960")),
  file("python3-statsmodels", STATS + "stats/tests/test_data.txt", "--column 3", csv(2, header=None, sep=r"\s+")),
  file("python3-vega-datasets", VEGA + "airports.csv", "--column longitude", csv("longitude")),
  file("python3-vega-datasets", VEGA + "sf-temps.csv", "--column temp", csv("temp")),
  file("python3-vega-datasets", VEGA + "seattle-weather.csv", "--column precipitation", csv("precipitation")),
  file("python3-vega-datasets", VEGA + "us-employment.csv", "--column nonfarm --type int", csv("nonfarm")),
  file("python-matplotlib-data", PLOTS + "msft.csv", "--column Volume --type long", csv("Volume")),
  file("python-matplotlib-data", PLOTS + "Stocks.csv", "--column AMZN --missing skip", csv("AMZN", 1),
       FROM_SECOND_LINE),
  file("gdal-data", GDAL + "s57attributes.csv", "--column Code --type ushort", csv("Code")),
  file("gdal-data", GDAL + "stateplane.csv", "--column EPSG_PCS_CODE --type ushort --missing skip",
       csv("EPSG_PCS_CODE")),
  file("r-cran-spdata", SPATIAL + "cycle_hire_xy.csv", "--column nempty", csv("nempty")),
  file("r-cran-spdata", SPATIAL + "worldbank_df.csv", "--column literacy --missing skip", csv("literacy")),
  file("python3-scipy", SCIPY + "spatial/tests/data/iris.txt", "--column 4", csv(3, header=None, sep=" ")),
  file("python3-scipy", SCIPY + "spatial/tests/data/random-uint-data.txt", "--column 30 --type uchar",
       csv(29, header=None, sep=" ")),
  file("python3-scipy", SCIPY + "spatial/tests/data/pdist-double-inp.txt", "--column 100",
       csv(99, header=None, sep=" ")),
  file("gnuplot-doc", GNUPLOT + "finance.dat", "--column 6 --type long --format text", csv(5, header=None, sep="\t")),
  file("gnuplot-doc", GNUPLOT + "world.dat", "--column 2 --format text", csv(1, header=None, sep=r"\s+")),
  # Arrays
  file("python3-skimage", SKIMAGE + "data/lfw_subset.npy", "", npy, axes=3),
  file("python3-skimage", SKIMAGE + "data/astronaut_GRAY_hog_L1.npy", "", npy),
  file("python3-skimage", SKIMAGE + "data/chessboard_RGB_U8.npy", "", npy, axes=3),
  file("python3-skimage", SKIMAGE + "restoration/tests/camera_wiener.npy", "", npy, ZSTD, axes=2),
  file("python3-skimage", SKIMAGE + "data/motorcycle_disp.npz", "", member("arr_0"), axes=2),
  file("python3-scipy", SCIPY + "stats/tests/data/levy_stable/stable-Z1-pdf-sample-data.npy", "", npy, axes=2),
  file("python3-scipy", SCIPY + "stats/_sobol_direction_numbers.npz", "--array vinit", member("vinit"), axes=2),
  file("python3-scipy", SCIPY + "linalg/tests/data/carex_20_data.npz", "--array R", member("R"), axes=2),
  file("python3-scipy", SCIPY + "fftpack/tests/fftw_single_ref.npz", "--array dct_1_1024", member("dct_1_1024")),
  file("python3-scipy", SCIPY + "misc/ecg.dat", "--array ecg", member("ecg")),
  file("python-matplotlib-data", PLOTS + "topobathy.npz", "--array topo", member("topo"), axes=2),
  file("python-matplotlib-data", PLOTS + "jacksboro_fault_dem.npz", "--array elevation", member("elevation"), axes=2),
  # Raw elements
  file("python-matplotlib-data", PLOTS + "membrane.dat", "--type float", raw("<f4")),
  file("python-matplotlib-data", PLOTS + "s1045.ima.gz", "--type ushort", raw("<u2")),
  file("dataset-fashion-mnist", MNIST + "train-images-idx3-ubyte.gz", "--type uchar --skip-bytes 16", raw("u1", 16)),
  file("dataset-fashion-mnist", MNIST + "t10k-labels-idx1-ubyte.gz", "--type uchar --skip-bytes 8", raw("u1", 8)),
  file("python3-nibabel", PYTHON + "nibabel/tests/data/example4d.nii.gz", "--type short --skip-bytes 416", volume),
  file("python3-skimage", SKIMAGE + "data/simple.fits", "", sky, as_npy(sky)),
  # Sounds
  file("alsa-utils", "usr/share/sounds/alsa/Noise.wav", "--type short --skip-bytes 44", pcm),
  file("alsa-utils", "usr/share/sounds/alsa/Front_Center.wav", "--type short --skip-bytes 44", pcm),
  file("python3-scipy", SCIPY + "io/tests/data/test-44100Hz-2ch-32bit-float-le.wav", "--type float --skip-bytes 58",
       samples("<f4")),
  file("python3-scipy", SCIPY + "io/tests/data/test-44100Hz-le-1ch-4bytes.wav", "--type int --skip-bytes 80",
       samples("<i4")),
  # Images
  file("python3-sklearn", SKLEARN + "images/china.jpg", "", pixels, as_npy(pixels), axes=3),
  file("python3-skimage", SKIMAGE + "data/chelsea.png", "", pixels, as_npy(pixels), axes=3),
  file("python3-skimage", SKIMAGE + "data/retina.jpg", "", pixels, as_npy(pixels)),
  file("python3-skimage", SKIMAGE + "data/chessboard_GRAY_U16.tif", "", pixels, as_npy(pixels), axes=2),
]
