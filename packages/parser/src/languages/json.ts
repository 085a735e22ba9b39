import type { Language } from './language.ts'

/** JSON as RFC 8259 has it. */
export const json: Language = {
  name: 'json',
  async load() {
    return (source) => {
      try {
        JSON.parse(source)
        return []
      } catch {
        return [{ line: 1, column: 1, endLine: 1, endColumn: 2, message: 'Write valid JSON.' }]
      }
    }
  },
}
