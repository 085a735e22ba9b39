import { expect, test } from 'vitest'
import { CircuitChanges } from './circuit-changes.ts'
import type { Parsing } from './parsing.ts'

test('each service has its own changes, the newest first', () => {
  const changes = new CircuitChanges()
  changes.add({ at: 1, state: 'open' }, 'grpc://a:1')
  changes.add({ at: 2, state: 'half-open' }, 'grpc://a:1')
  changes.add({ at: 3, state: 'open' }, 'grpc://b:1')
  const viewOf = (url: string) => changes.viewOf({ settings: { kind: 'service', service: { url } }, state: 'closed' } as Parsing).changes
  expect(viewOf('grpc://a:1').map(({ at }) => at)).toEqual([2, 1])
  expect(viewOf('grpc://b:1')).toEqual([{ at: 3, state: 'open' }])
  expect(viewOf('grpc://c:1')).toEqual([])
})
