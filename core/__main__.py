"""`python -m core`: the engine without a browser."""

import sys

try:
    from core.cli import main

    sys.exit(main())
except KeyboardInterrupt:
    sys.exit(130)
