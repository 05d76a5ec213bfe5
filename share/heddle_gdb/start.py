"""gdb sources this file, which imports the package from the folder where this file is."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import heddle_gdb
