import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Rule(BaseHTTPRequestHandler):
    def do_POST(self):
        answer = json.loads(self.rfile.read(int(self.headers["content-length"])))
        bad = "guarantee" in answer["text"].lower()
        issues = [{"code": "PROMISE", "message": "Do not guarantee anything."}] if bad else []
        reply = json.dumps({"id": answer["id"], "issues": issues}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(reply)


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("RULES_PORT", "9100"))), Rule).serve_forever()
