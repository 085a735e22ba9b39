import type { Language } from '@stickler/core/validators'

/** CSS with everything that PostCSS reads: nesting and at-rules that are not known are allowed. */
export const css: Language = {
  name: 'css',
  parsedBy: 'PostCSS, and pairs of brackets; unknown properties, values and at-rules are allowed',
  async load() {
    const [{ parse }, { cssFaults }] = await Promise.all([import('postcss'), import('./faults.ts')])
    return (source) => cssFaults(source, parse)
  },
}
