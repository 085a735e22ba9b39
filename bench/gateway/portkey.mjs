import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { schema, sourceCount } from './answers.mjs'
import { beside } from './processes.mjs'

/** Installs what is only compared with, on first use; tells why not when that is impossible. */
export async function installPortkey(folder = '.') {
  if (existsSync(serverIn(folder))) return undefined
  try {
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', beside(folder)])
    return undefined
  } catch (error) {
    const lines = String(error.stderr || error.message)
      .trim()
      .split('\n')
    return lines.find((line) => line.startsWith('npm error')) ?? lines[0]
  }
}

/** How the server is started. */
export function portkeyArguments(port, folder = '.') {
  return [serverIn(folder), `--port=${port}`, '--headless']
}

/** The headers that lead to the upstream; with `checks` three of its own, which deny what they do not like. */
export function portkeyHeaders(upstream, checks) {
  const target = { provider: 'openai', api_key: 'key', custom_host: `${upstream}/v1` }
  const config = checks === undefined ? target : { ...target, output_guardrails: [{ ...checks, deny: true }] }
  return { 'x-portkey-config': JSON.stringify(config) }
}

const schemaCheck = { 'default.jsonSchema': { schema } }

/** The nearest to `step_marker`, `json` with a schema and `citations`. */
export const portkeyChecks = {
  'default.regexMatch': { rule: `\\[\\^[1-${sourceCount}]\\]` },
  ...schemaCheck,
  'default.endsWith': { suffix: '<!-- STEP: done -->' },
}

/** The schema alone. */
export const portkeySchemaCheck = schemaCheck

function serverIn(folder) {
  return beside(`${folder}/node_modules/@portkey-ai/gateway/build/start-server.js`)
}
