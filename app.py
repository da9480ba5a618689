"""The workbench in a browser: `streamlit run app.py`."""

from pages.parts.frame import navigate

navigate()
