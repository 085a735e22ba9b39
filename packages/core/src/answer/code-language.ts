/** Languages by the other names that people write on a fence. */
const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bash: ['sh', 'shell', 'zsh', 'ksh'],
    c: ['h'],
    cpp: ['c++', 'cc', 'cxx', 'hpp'],
    csharp: ['c#', 'cs'],
    go: ['golang'],
    javascript: ['js', 'jsx', 'mjs', 'cjs', 'node', 'ecmascript'],
    powershell: ['ps1', 'pwsh'],
    python: ['py', 'py3', 'python3'],
    ruby: ['rb'],
    rust: ['rs'],
    sql: ['postgres', 'postgresql', 'pgsql', 'psql'],
    typescript: ['ts', 'mts', 'cts'],
    yaml: ['yml'],
  }).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
)

/** The language that the tag of a fence names, such as `typescript` for `ts {1,3}`; empty without one. */
export function languageOf(tag: string): string {
  const word = /^[^\s{,:;]*/.exec(tag.trim())?.[0].toLowerCase() ?? ''
  return aliases.get(word) ?? word
}
