import { describe, expect, test } from 'vitest'
import { canonicalJson } from '../wire/canonical-json.ts'
import { type AuditState, auditRow } from './audit-row.ts'

const least: AuditState = { mode: 'strict', question: 'why?', status: 'refused', ts: 1_700_000_000_000 }
const full: AuditState = {
  ...least,
  answer: 'because [^1][^1]',
  cache_hit: true,
  citations: [1, 1],
  completion_tokens: 5,
  cost_usd: 0,
  errors: [{ kind: 'malformed', detail: 'empty marker body' }],
  failure: { kind: 'timeout', detail: 'too late' },
  limit: 'timeout_ms',
  model: 'm',
  provider: 'openai',
  role: 'admin',
  seed: 2n ** 64n - 1n,
  sources_urns: ['urn:b', 'urn:a'],
  temperature: 0,
  tenant: 't',
  upstream: 'eu',
  user: 'u',
  validation_ok: false,
}

describe('auditRow', () => {
  // for text in '' 'why?' 'because [^1][^1]'; do printf %s "$text" | sha256sum; done
  const none = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const why = 'f5b2b98bf44b60881a86499d98591d7995ce23ad93abd8a4aa11fadc20145d06'
  const because = '6b6a6966a946d23218deac1c3f10bbbef0eff52ced886dbecfceaff6caf82e51'

  test('what does not apply is null', async () => {
    expect(JSON.stringify(await auditRow(least, {}))).toBe(
      `{"answer_hash":"${none}","cache_hit":false,"citations":[],"completion_tokens":0,"cost_usd":null,"errors":[],"failure":null,"limit":null,` +
        `"mode":"strict","model":null,"prompt_tokens":0,"provider":null,"question_hash":"${why}","retry_count":0,"role":null,"seed":null,` +
        '"sources_urns":[],"status":"refused","temperature":null,"tenant":null,"ts":1700000000000,"upstream":null,"user":null,"validation_ok":null}',
    )
  })

  test('zeros and false are values', async () => {
    expect(JSON.stringify(await auditRow(full, { answer: true, question: true }))).toBe(
      `{"answer":"because [^1][^1]","answer_hash":"${because}","cache_hit":true,"citations":[1,1],"completion_tokens":5,"cost_usd":0,` +
        '"errors":[{"detail":"empty marker body","kind":"malformed"}],"failure":{"detail":"too late","kind":"timeout"},"limit":"timeout_ms",' +
        `"mode":"strict","model":"m","prompt_tokens":0,"provider":"openai","question":"why?","question_hash":"${why}","retry_count":0,"role":"admin",` +
        '"seed":"18446744073709551615","sources_urns":["urn:b","urn:a"],"status":"refused","temperature":0,"tenant":"t","ts":1700000000000,' +
        '"upstream":"eu","user":"u","validation_ok":false}',
    )
  })

  test.each([{}, { answer: true }, { question: true }, { answer: true, question: true }])('keys are sorted with %j', async (keep) => {
    const row = await auditRow(full, keep)
    expect(JSON.stringify(row)).toBe(canonicalJson(row))
    expect(Object.keys(row).filter((key) => key === 'answer' || key === 'question')).toEqual(Object.keys(keep))
  })

  test('no text leaks unless it is kept', async () => {
    const text = JSON.stringify(await auditRow(full))
    expect(text).not.toContain('because')
    expect(text).not.toContain('why')
  })

  test('an answer that is kept but absent is null', async () => {
    expect(await auditRow(least, { answer: true })).toMatchObject({ answer: null, answer_hash: none })
  })
})

describe('a row of something huge', () => {
  const huge = 'ä'.repeat(1_000_000)
  const urns = Array.from({ length: 100_000 }, (_, index) => `urn:${index}`)

  test('is small, and tells what it left out', async () => {
    const texts = { answer: huge, question: huge, model: huge, user: huge, failure: { kind: huge, detail: huge } }
    const lists = {
      sources_urns: urns,
      citations: urns.map(() => 1),
      errors: urns.map(() => ({ kind: 'malformed', detail: huge }) as const),
    }
    const row = await auditRow({ ...full, ...texts, ...lists }, { answer: true, question: true })
    expect(JSON.stringify(row).length).toBeLessThan(300_000)
    expect(row).toMatchObject({
      question_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      cut: {
        answer_bytes: 2_000_000,
        question_bytes: 2_000_000,
        citations_count: 100_000,
        errors_count: 100_000,
        sources_count: 100_000,
        sources_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    })
    expect(JSON.stringify(await auditRow({ ...least, question: huge, sources_urns: urns })).length).toBeLessThan(4000)
  })

  test('has another hash for other sources', async () => {
    const hashOf = async (some: readonly string[]) => (await auditRow({ ...least, sources_urns: some })).cut?.sources_hash
    expect(await hashOf(urns)).not.toBe(await hashOf([...urns.slice(1), 'urn:0']))
    expect(await hashOf(urns.slice(0, 100))).toBeUndefined()
  })
})
