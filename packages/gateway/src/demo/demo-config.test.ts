import { enforce } from '@stickler/core'
import { scripted } from '@stickler/core/testing'
import type { SyntaxParser } from '@stickler/core/validators'
import { avapLanguage } from '@stickler/presets/avap'
import { expect, test } from 'vitest'
import type { ScriptedAnswer } from '../upstreams/kinds/scripted-upstream.ts'
import { demoConfig } from './demo-config.ts'

const config = await demoConfig('/nowhere')
const parseAvap = await avapLanguage().load()
const parser: SyntaxParser = {
  async parse(_language, source) {
    const [first, ...rest] = parseAvap(source)
    return first === undefined ? { verdict: 'valid' } : { verdict: 'invalid', trace: [first, ...rest] }
  },
}

test('the demo needs nothing and records below its folder', () => {
  expect(config.store).toMatchObject({ kind: 'sqlite', path: '/nowhere/demo.db', keepText: true })
  expect(config.server).toMatchObject({ host: '127.0.0.1', keyCount: 0 })
  expect(config.upstreams.every(({ kind }) => kind === 'scripted' || kind === 'extractive')).toBe(true)
  expect(config.retrieval?.index.shown).toBe('/nowhere/documents.db')
})

test.each([
  ['demo-repair', 'repaired', 1],
  ['demo-retry', 'valid', 2],
  ['demo-give-up', 'unresolved', 2],
  ['demo-json', 'valid', 1],
  ['demo-code', 'valid', 2],
])('%s is %s after %d attempts', async (model, status, attempts) => {
  const route = config.routes.find((one) => one.model === model)
  const upstream = config.upstreams.find(({ name }) => name === route?.targets[0].upstream)
  const contract = config.contracts.get(route?.contract ?? '')
  if (upstream?.kind !== 'scripted' || contract === undefined) throw new Error('the demo is incomplete')
  const turns = (upstream.settings.answers as ScriptedAnswer[]).map(({ text = '' }) => text)
  const outcome = await enforce({ contract, runner: scripted([...turns, ...turns]), prompt: 'Hi', ports: { parser } })
  expect(outcome).toMatchObject({ status, attempts })
})
