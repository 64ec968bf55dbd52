"""The form of everything that crosses a border: files, requests, answers, stored payloads."""
