#!/usr/bin/env python3
"""Pages in headless Chromium: what is seen, typed, dragged and read, against the files' values.

    tests/pages/test_pages.py PROGRAM [TEST...]"""
import os
import unittest

from page_test import PROGRAM  # first: takes its word of the command line
from bench_pages import Benches
from picture_pages import Pages
from report_pages import Reports
from watch_pages import Watches

# With LACUNA_TEST_CORE.
CORE = ["Pages." + name for name in ("test_random_bytes_are_shown_and_named_as_they_are", "test_random_halves_are_painted_at_any_exposure",
                                     "test_the_border_of_wipe_is_dragged", "test_frames_of_sequences", "test_before_and_after")]
CORE += ["Benches.test_tables_and_plots_are_those_of_the_report", "Reports.test_the_graph_is_drawn_and_explained", "Watches.test_a_slider_changes_the_picture_and_the_file"]

if __name__ == "__main__":
    assert PROGRAM.exists() and all((Benches, Pages, Reports, Watches))
    unittest.main(defaultTest=CORE if os.environ.get("LACUNA_TEST_CORE") else None)
