/** Languages by the other names that people write on a fence. */
const aliases: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bash: ['sh', 'shell'],
    c: ['h'],
    cpp: ['c++', 'cc', 'cxx', 'hpp'],
    csharp: ['c#', 'cs'],
    go: ['golang'],
    html: ['htm'],
    javascript: ['js', 'jsx', 'mjs', 'cjs', 'node', 'ecmascript'],
    powershell: ['ps1', 'pwsh'],
    python: ['py', 'py3', 'python3'],
    ruby: ['rb'],
    rust: ['rs'],
    sql: ['postgres', 'postgresql', 'pgsql', 'psql'],
    typescript: ['ts', 'mts', 'cts'],
    xml: ['svg', 'xsd', 'xsl', 'xslt', 'xaml', 'wsdl', 'plist'],
    yaml: ['yml'],
  }).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
)

/** Longer words name no language. */
const longestName = 40

/** The language that the tag of a fence names, such as `typescript` for `ts {1,3}` and `python` for `{.python}`; empty without one. */
export function languageOf(tag: string): string {
  // Its second word distinguishes it from JSON.
  if (/^json[ _-]lines\b/i.test(tag.trim())) return 'jsonl'
  const word = firstWord(tag.trim()).toLowerCase()
  if (word.length > longestName || !/[a-z]/.test(word)) return ''
  if (/^py(?:thon)?\d[\d.]*$/.test(word)) return 'python'
  const name = languageOfPath(word)
  return aliases.get(name) ?? name
}

/** The ending of a name such as `src/main.py`; other words as they are. */
function languageOfPath(word: string): string {
  const ending = word.slice(word.lastIndexOf('.') + 1)
  return word.startsWith('.') || ending === 'net' || !/^[a-z]\w*$/.test(ending) ? word : ending
}

/** The language whose blocks count as written in it: TSX is TypeScript too. */
export function familyOf(language: string): string {
  return language === 'tsx' ? 'typescript' : language
}

/** The word of a tag that may be a language: attributes such as `title="x.py"` are none, `python=` numbers lines. */
function firstWord(tag: string): string {
  // Pandoc writes classes in braces, R Markdown a bare name.
  const attributes = /^\{[^}]*/.exec(tag)?.[0]
  const inner = attributes === undefined ? tag : (/(?<=[\s{])\.[^\s.}]+/.exec(attributes)?.[0] ?? attributes.slice(1).trimStart())
  const word = /^[^\s{},:;|()[\]]*/.exec(inner)?.[0] ?? ''
  const [name = '', value = '', more] = word.split('=', 3)
  return more === undefined && /^\d*$/.test(value) ? name.replace(/^(?:\.|lang(?:uage)?-)+/i, '') : ''
}
