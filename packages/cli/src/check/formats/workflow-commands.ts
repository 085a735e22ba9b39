/**
 * What the runner of GitHub Actions takes for a command in what a step prints: `::name …::` at the start of a line, whatever white space is before it,
 * and `##[name …]` anywhere in a line.
 */
const lineStart = /^([^\S\n\r\u2028\u2029]*):(?=:)/gm
const anywhere = /##\[/g

/** A report for people in which no line is a workflow command, whoever wrote the text in it. */
export function withoutCommands(text: string): string {
  return text.replace(lineStart, '$1\\x3a').replace(anywhere, '##\\x5b')
}

/** A message or, with `property`, a value of a property, as GitHub's runner unescapes them. */
export function escapeCommand(text: string, part: 'message' | 'property'): string {
  const data = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  return part === 'message' ? data : data.replaceAll(':', '%3A').replaceAll(',', '%2C')
}
