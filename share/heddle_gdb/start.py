"""What gdb sources: makes the package known, by where it stands."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import heddle_gdb
