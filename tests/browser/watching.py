"""What a page does that it should not, and how a test waits for a page without sleeping."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import Error

OWN_FAILURES = ("/_stcore/health", "/_stcore/host-config")
"""What Streamlit asks for in vain below an address that is not the root, once each: `/library/_stcore/health` …"""

QUIET = """() => {
  const app = document.querySelector('[data-testid="stApp"]');
  const idle = app && app.dataset.testScriptState === 'notRunning' && !document.querySelector('[data-stale="true"]');
  if (!idle) { window.quietSince = undefined; return false; }
  window.quietSince ??= performance.now();
  if (performance.now() - window.quietSince < 250) return false;
  window.quietSince = undefined;  // the next wait begins anew
  return true;
}"""


def quiet(page, seconds=30):
    """The page once its script has ended and stays so: what is typed before that may be drawn anew."""
    page.wait_for_function(QUIET, polling=50, timeout=seconds * 1_000)
    return page


@dataclass
class Watch:
    """What a page did that it should not: errors on its console, requests that leave this machine, dialogs."""

    errors: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    page: object = None
    app: object = None
    since: int = 0

    def over(self, page, app=None):
        self.page, self.app, self.since = page, app, app.written() if app else 0
        page.on("console", self._said)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", self._request)
        page.on("dialog", self._dialog)
        return page

    def _said(self, message):
        if message.type == "error" and not _own_failure(message.location.get("url", "")):
            self.errors.append(f"{message.text} ({message.location.get('url', '')})")

    def _request(self, request):
        self.asked.append(request.url)
        url = urlsplit(request.url)
        if url.scheme not in ("data", "blob") and url.hostname != "localhost":
            self.outside.append(request.url)

    def _dialog(self, dialog):
        self.errors.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def faults(self):
        """All that is wrong so far, a line each."""
        found = [f"on the console: {error}" for error in self.errors]
        found += [f"leaves this machine: {url}" for url in self.outside]
        try:
            if not self.page.is_closed() and self.page.get_by_test_id("stException").count():
                found.append(f"an exception on the page: {self.page.get_by_test_id('stException').first.inner_text()}")
        except Error:  # the page went while it was asked: what it did is in the lists
            pass
        if self.app and (logged := self.app.faults(self.since)):
            found.append(f"in the log: {logged}")
        return found


def _own_failure(url):
    """Whether this is one of the requests that Streamlit makes in vain below the root."""
    path = urlsplit(url).path
    return urlsplit(url).hostname == "localhost" and path.endswith(OWN_FAILURES) and path not in OWN_FAILURES
