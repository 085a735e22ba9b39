#!/bin/sh
# Runs the stickler command for an event of Claude Code, which is the argument: that of the project, or of a folder above it, else the one on the PATH.
# Claude Code waits for this before and after each call of a tool: npx would take a second, and where there is no stickler.yaml not even Node is started.
project=$(CDPATH='' cd -- "${CLAUDE_PROJECT_DIR:-.}" && pwd) || exit 0

folder=$project
until [ -e "$folder/stickler.yaml" ]; do
  [ -n "$folder" ] || exit 0
  folder=${folder%/*}
done
config=$folder/stickler.yaml

folder=$project
while :; do
  [ ! -x "$folder/node_modules/.bin/stickler" ] || exec "$folder/node_modules/.bin/stickler" hook --if-configured
  [ -n "$folder" ] || break
  folder=${folder%/*}
done
if command -v stickler >/dev/null; then exec stickler hook --if-configured; fi

# Final answers are judged by a contract of any name, all other events by one of their own, which escapes and merges can hide.
grep -q -e "$1" -e '"[^"]*\\' -e '<<' "$config" || [ "$1" = Stop ] || exit 0
echo "Stickler could not check this: the stickler command is not installed for $config; run npm install --save-dev stickler" >&2
case $1 in
  PreToolUse | UserPromptSubmit) exit 2 ;; # refuses the call or the prompt
  *) exit 1 ;; # the user sees the message
esac
