"""Print where playwright keeps its Chromium, as the variable that the tests of the page read."""

from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    print(f"CALMIP_CHROMIUM={playwright.chromium.executable_path}")
