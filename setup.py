"""Builds the extension by CMake and puts it into the package. CORDAGE_BUILD names a build folder to use, or to use again;
otherwise it is build/python, which is kept, so that the next time is fast."""
import os
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = os.path.dirname(os.path.abspath(__file__))


def version():
    with open(os.path.join(ROOT, "include", "cordage", "base.h"), encoding="utf-8") as file:
        return ".".join(re.findall(r"^#define CDG_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", file.read(), re.M))


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        folder = os.environ.get("CORDAGE_BUILD") or os.path.join(ROOT, "build", "python")
        if not os.path.exists(os.path.join(folder, "CMakeCache.txt")):
            subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DCORDAGE_TESTS=OFF",
                            f"-DCORDAGE_PYTHON={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "cordage_python", "--parallel",
                        str(os.cpu_count() or 1)], check=True)
        target = self.get_ext_fullpath(extension.name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(os.path.join(folder, "python", "cordage", "_cordage.abi3.so"), target)


setup(version=version(), cmdclass={"build_ext": CMakeBuild},
      ext_modules=[Extension("cordage._cordage", sources=[], py_limited_api=True)],
      options={"bdist_wheel": {"py_limited_api": "cp311"}})
