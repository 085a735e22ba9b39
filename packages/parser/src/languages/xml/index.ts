import type { Language } from '@stickler/core/validators'

/** XML that is well-formed; parts of a document are allowed. */
export const xml: Language = {
  name: 'xml',
  parsedBy: 'saxes, for well-formed XML; parts of a document, undeclared namespaces and entities of external DTDs are allowed',
  async load() {
    const [{ SaxesParser }, { xmlFaults }] = await Promise.all([import('saxes'), import('./faults.ts')])
    return (source) => xmlFaults(source, SaxesParser)
  },
}
