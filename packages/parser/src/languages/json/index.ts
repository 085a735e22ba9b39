import type { Language } from '@stickler/core/validators'

/** JSON as RFC 8259 has it. */
export const json: Language = {
  name: 'json',
  parsedBy: 'RFC 8259',
  needsText: true,
  async load() {
    const [{ findFaults }, { parseJson }] = await Promise.all([import('./find-faults.ts'), import('@stickler/core/internal')])
    return (source) => (parseJson(source) === undefined ? findFaults(source) : [])
  },
}

/** JSON with comments and trailing commas, as editors and compilers read their settings. */
export const jsonc: Language = {
  name: 'jsonc',
  parsedBy: 'JSON with comments and trailing commas',
  async load() {
    const { findFaults } = await import('./find-faults.ts')
    return (source) => findFaults(source, { isRelaxed: true })
  },
}
