/**
 * What GitHub Actions interprets as a command in the output of a step: `::name …::` at the start of a line, after
 * any white space,
 * and `##[name …]` anywhere in a line.
 */
const lineStart = /^([^\S\n\r\u2028\u2029]*):(?=:)/gm

/** Escapes a colon or bracket of every workflow command in a report, whatever the source of its text. */
export function withoutCommands(text: string, colon = '\\x3a', bracket = '\\x5b'): string {
  return text.replace(lineStart, `$1${colon}`).replaceAll('##[', `##${bracket}`)
}

/** What is printed of a report: on GitHub, its text must not contain workflow commands; other formats escape them themselves. */
export function guarded(text: string, format: string, env: Readonly<Record<string, string | undefined>>): string {
  return format === 'text' && env.GITHUB_ACTIONS ? withoutCommands(text) : text
}

/** A message or, with `property`, a value of a property, as GitHub's runner unescapes them. */
export function escapeCommand(text: string, part: 'message' | 'property'): string {
  const data = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  return part === 'message' ? data : data.replaceAll(':', '%3A').replaceAll(',', '%2C')
}
