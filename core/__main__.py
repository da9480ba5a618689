"""`python -m core`: the engine without a browser."""

import sys

from core.cli import main

sys.exit(main())
