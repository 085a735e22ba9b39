import { expect, test } from 'vitest'
import { contract } from '../../../../presets/src/testing/contract.ts'

const asking = [
  { sensitive: { kinds: ['email'], redact: true } },
  { boilerplate: { remove: true } },
  { pattern: { deny: [{ regex: 'a', replace: 'b' }] } },
  { contains: { none: [{ text: 'a', replace: 'b' }] } },
  { citations: { dropUnsupported: true } },
] as const

test.each(asking.map((check) => [JSON.stringify(check), check] as const))(
  '%s warns where lossy repairs are not permitted',
  (_name, check) => {
    const [name] = Object.keys(check)
    const warned = (policy: object): readonly string[] =>
      (contract({ checks: ['step_marker', check as never], ...policy }).warnings ?? []).map(
        ({ path, message }) => `${path.join('.')}: ${message}`,
      )
    expect(warned({ allow: ['lossless'] })).toEqual([
      `checks.1.${name}: its options ask for lossy repairs, but \`allow\` does not list lossy: what it finds is rejected instead`,
    ])
    expect(warned({ repair: 'never' })).toEqual([
      `checks.1.${name}: its options ask for lossy repairs, but \`repair\` is never: what it finds is rejected instead`,
    ])
    for (const policy of [{}, { allow: ['lossy'] }, { allow: ['lossless', 'lossy', 'guess'] }]) expect(warned(policy)).toEqual([])
  },
)

test.each([{ sensitive: {} }, 'boilerplate', { max_words: 5 }, { links: ['a.com'] }] as const)('%j asks for nothing', (check) => {
  expect(contract({ checks: [check], allow: ['lossless'] }).warnings).toBeUndefined()
})

test.each(['avap', 'helix', 'reddb', 'techtime'] as const)('the preset %s has no warnings', (preset) => {
  expect(contract({ preset }).warnings).toBeUndefined()
})
