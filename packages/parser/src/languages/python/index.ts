import type { Language } from '@stickler/core/validators'

/** Python 3, as its newest version has it. */
export const python: Language = {
  name: 'python',
  parsedBy: 'ruff',
  async load() {
    const { ruffParser } = await import('./ruff-parser.ts')
    return ruffParser()
  },
}
