/** Texts that are hard on parsers, of about a given size. */
export const hostileInputs = {
  'nested list on one line': (size) => `${'- '.repeat(size / 2)}x`,
  'indented list': (size) => Array.from({ length: Math.sqrt(size) }, (_, index) => `${'  '.repeat(index)}- x\n`).join(''),
  'quotes on one line': (size) => '>'.repeat(size),
  'deep list and blank lines': (size) => `${'- '.repeat(1000)}x\n${'\n'.repeat(size - 2000)}`,
  'open brackets': (size) => '['.repeat(size),
  'comment openers': (size) => '<!--'.repeat(size / 4),
  'definitions with open titles': (size) => `${'[a]: b (\n'.repeat(size / 9)}===\n`,
  'small front matters': (size) => '---\na: 1\n---\n\n'.repeat(size / 14),
}
