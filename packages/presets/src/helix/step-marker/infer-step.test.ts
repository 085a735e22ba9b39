import { Answer } from '@stickler/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Step } from './extract.ts'
import { inferStep } from './infer-step.ts'

const template = '<!-- STEP: what|why|constraints|generate|finalize|done -->'
const header = '---\nadr_id: "038"\ntitle: T\nstatus: Proposed\n---'

/**
 * `apply_fallback` of ADR-038, line by line, with its errors corrected: `finalize` is tested before `generate`, `discussing` is no step,
 * a record is as good as a YAML fence, and the words of the template are not those of the answer.
 */
function seed(response: string): Step {
  const text = response.replaceAll(template, '')
  const lower = text.toLowerCase()
  if (text.includes('ADR-') && lower.includes('finalisiert')) return 'finalize'
  if (text.includes('adr_id:') || (text.includes('ADR-') && (lower.includes('erstellt') || text.includes('```yaml')))) return 'generate'
  if (text.slice(-300).includes('?')) return 'what'
  if (['constraints', 'rahmenbedingungen'].some((word) => lower.includes(word))) return 'constraints'
  return 'done'
}

const piece = fc.constantFrom(
  ...['ADR-038', 'Erstellt.', 'Der Text ist finalisiert.', 'Was fehlt?', 'Constraints und Rahmenbedingungen.', 'Alles klar.', template],
  ...['```yaml\na: 1\n```', 'x'.repeat(150), '# ADR-038: T\n\n## Kontext', header],
)

test('a step is inferred as by the seed', () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), fc.boolean(), (pieces, isWrapped) => {
      const text = pieces.join('\n\n')
      const answer = new Answer(isWrapped ? `\`\`\`markdown\n${text}\n\`\`\`` : text)
      expect(inferStep(answer, 'done')).toBe(seed(text))
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['a record', `${header}\n\n# T\n\n## Kontext\n\nX`, 'generate'],
  ['a record that asks', `${header}\n\n## Kontext\n\nReicht das?`, 'generate'],
  ['a record in a fence', `\`\`\`markdown\n${header}\n\n## Kontext\n\`\`\`js\nx\n\`\`\`\n\`\`\`\n`, 'generate'],
  ['a record whose header is a YAML fence', '```yaml\nadr_id: 1\n```\n\n## Kontext', 'generate'],
  ['a record without an id', '---\ntitle: T\n---\n\n## Kontext', 'done'],
  ['a copied template', `Alles klar.\n\n${template}`, 'done'],
  ['a copied template in capitals', `Alles klar.\n\n${template.toUpperCase()}`, 'done'],
  ['a marker in inline code', 'Nimm `<!-- STEP: constraints -->`.', 'done'],
] as const)('%s: %#', (_name, text, step) => {
  expect(inferStep(new Answer(text), 'done')).toBe(step)
})
