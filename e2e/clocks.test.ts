import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './support/places.ts'
import { walk } from './support/walk.ts'

/**
 * Where the wall clock is read, and what for. It jumps: whatever measures how long something takes, or decides who may go on, uses `Clock.now`,
 * except what is about dates or outlives the process.
 */
const allowed: Readonly<Record<string, string>> = {
  'packages/ask/src/retrieval/embedders/openai-embedder.ts': 'a retry-after that is a date; the wait is bounded',
  'packages/ask/src/retrieval/engines/elastic/elastic-engine.ts':
    'the age of what another writer left behind, in the documents of the server',
  'packages/cli/src/process-io.ts': 'the time in reports of JUnit',
  'packages/cli/src/serve/node-platform.ts': 'the last day of keys, for `stickler doctor`',
  'packages/core/src/fetch/enforced-reply.ts': 'a retry-after that is a date; the wait is bounded',
  'packages/core/src/fetch/fetch-request.ts': 'the time in replies that are made here',
  'packages/core/src/runners/failures/failure-of.ts': 'a retry-after that is a date; the wait is bounded',
  'packages/core/src/runners/http-runner.ts': 'a retry-after that is a date; the wait is bounded',
  'packages/dashboard/src/app/services.ts': 'times that a page shows, by the clock of the gateway',
  'packages/dashboard/src/app/use-shortcuts.ts': 'how quickly two keys follow each other',
  'packages/gateway/src/gateway-parts.ts': 'the source of `today`, see below',
  'packages/gateway/src/observe/logs/logger.ts': 'the time in log lines',
  'packages/gateway/src/observe/tracing/request-spans.ts': 'the time in spans',
  'packages/gateway/src/records/store/open-reader.ts': 'the period of a summary',
  'packages/gateway/src/records/store/reader.ts': 'opens a store and closes it again',
  'packages/gateway/src/upstreams/transport/transport.ts': 'a retry-after that is a date; the wait is bounded',
  'packages/parser/src/client/connection.ts': 'a deadline of gRPC is a date, and becomes a wait at once',
  'packages/parser/src/service/parser-service.ts': 'the same, of the caller',
}

/** Where the gateway's `today` goes. */
const allowedToday: Readonly<Record<string, string>> = {
  'packages/gateway/src/routes/grpc/grpc-listener.ts': 'hands it on',
  'packages/gateway/src/admin/api/api-routes.ts': 'hands it on',
  'packages/gateway/src/admin/api/gateway-route.ts': 'days of budgets, and the age of the configuration',
  'packages/gateway/src/observe/upstream-watch.ts': 'when a call failed or a breaker changed, for operators',
  'packages/gateway/src/routes/ask/ask-audit.ts': 'the time in audit rows',
  'packages/gateway/src/routes/ask/ask-route.ts': 'hands it on',
  'packages/gateway/src/routes/ask/question.ts': 'the time in audit rows',
  'packages/gateway/src/requests/budgets/key-budgets.ts':
    'the day of a budget; reservations outlive the process, and a late settlement corrects them',
  'packages/gateway/src/config/live/live-config.ts': 'the last day of keys',
  'packages/gateway/src/gateway-listener.ts': 'hands it on',
  'packages/gateway/src/gateway-routes.ts': 'hands it on',
  'packages/gateway/src/gateway.ts': 'hands it on',
  'packages/gateway/src/gateway-parts.ts': 'hands it on',
  'packages/gateway/src/requests/request-ports.ts': 'hands it on',
  'packages/gateway/src/requests/request.ts': 'the time in records',
  'packages/gateway/src/upstreams/kinds/upstream-kind.ts': 'hands it on',
  'packages/gateway/src/upstreams/transport/transport.ts': 'a retry-after that is a date; the wait is bounded',
}

const sources = (await walk()).filter(
  (path) => /^packages\/[^/]+\/src\/.*\.ts$/.test(path) && !/\.test(-d)?\.ts$|\/testing\/|\/browser\//.test(path),
)
const files = await Promise.all(sources.map(async (path) => ({ path, code: withoutComments(await readFile(join(root, path), 'utf8')) })))

test('the wall clock is read only where a date is meant', () => {
  expect(files.filter(({ code }) => /\bDate\.now\b|\bnew Date\(\)/.test(code)).map(({ path }) => path)).toEqual(Object.keys(allowed).sort())
})

test('what the gateway knows of the date goes only where a date is meant', () => {
  const gateway = files.filter(({ path, code }) => path.startsWith('packages/gateway/src/') && /\btoday\b\s*[(),:;=?}]/.test(code))
  expect(gateway.map(({ path }) => path)).toEqual(Object.keys(allowedToday).sort())
})

function withoutComments(code: string): string {
  return code.replace(/\/\*\*?[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/'[^'\n]*'|`[^`]*`/g, (text) => (text.includes('${') ? text : "''"))
}
