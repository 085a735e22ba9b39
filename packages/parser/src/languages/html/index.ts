import type { Language } from '@stickler/core/validators'

/** HTML, of which elements that are not closed or closed in the wrong order are faults, and tags that cannot be read. */
export const html: Language = {
  name: 'html',
  parsedBy:
    'the tokenizer of parse5: elements that are not closed, closed twice or in the wrong order, and broken tags; end tags that HTML lets out, doctypes and unknown elements are not judged, nor are templates (`{% … %}`, `<?php … ?>`)',
  async load() {
    const [{ Tokenizer, TokenizerMode }, { htmlFaults }] = await Promise.all([import('parse5'), import('./faults.ts')])
    return (source) => htmlFaults(source, Tokenizer, TokenizerMode)
  },
}
