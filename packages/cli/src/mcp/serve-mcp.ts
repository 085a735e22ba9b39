import { settle } from '@stickler/core'
import { readAnswerRequest, requestContract, requireAnswer, settledData, settledStatuses, unknownName } from '@stickler/core/internal'
import * as z from 'zod'
import { explainedCode } from '../catalogue/explain-code.ts'
import type { Cli } from '../cli.ts'
import { buildChosen, chooseContract } from '../config/choose-contract.ts'
import { configName } from '../config/config-name.ts'
import { loadConfig } from '../config/files.ts'
import { UsageError } from '../errors.ts'
import { exitCode } from '../exit-code.ts'
import { openPorts } from '../ports/open-ports.ts'
import { version } from '../version.ts'

/** The options of `stickler mcp`. */
export interface McpFlags {
  readonly config?: string
}

/** Messages of clients, in bytes. */
const largestMessage = 64 * 1024 * 1024
/** Clients that hang up and do not wait send a signal soon. */
const lastCallsMs = 30_000

const verdict = z.looseObject({
  status: z.enum(settledStatuses),
  contract: z.string(),
  issues: z.array(z.looseObject({ code: z.string(), message: z.string() })),
  repairs: z.array(z.looseObject({ rule: z.string() })),
  text: z.string().describe('The answer as it would be delivered.'),
})

/** Serves tools until the client closes the connection; resolves to the exit code. */
export async function serveMcp({ config: file }: McpFlags, { io, signal, note }: Cli): Promise<number> {
  const config = await loadConfig(file, io)
  if (config === undefined) throw new UsageError(`there is no ${configName} to take contracts from`)
  const { contracts } = config.value
  const flags = file === undefined ? {} : { config: file }
  const { McpServer } = await import('@modelcontextprotocol/server')
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio')
  const { AnsweringTransport } = await import('./answering-transport.ts')
  const ports = await openPorts(flags, io)

  /** Only names of the configuration: a client must not read files. */
  const findContract = async (wanted: string | undefined) => {
    const names = Object.keys(contracts)
    const name = wanted ?? (names.length === 1 ? names[0] : undefined)
    if (name === undefined) throw new UsageError(`name a contract; there are ${names.join(', ') || 'none'}`)
    if (!Object.hasOwn(contracts, name)) throw new UsageError(unknownName('contract', name, names))
    const request = { api: 'check', tags: ['mcp'] }
    return { name, request, contract: buildChosen(await chooseContract({ ...flags, contract: name, request }, io)) }
  }

  const makeServer = () => {
    const server = new McpServer({ name: 'stickler', version: version() })
    server.registerTool(
      'check_answer',
      {
        title: 'Check an answer',
        description: 'Checks an answer of a language model against a contract, and repairs it where the contract allows that.',
        inputSchema: z.strictObject({
          contract: z.string().optional().describe('A name that list_contracts gives; not needed if there is only one.'),
          text: z.string().optional().describe('The text of the answer.'),
          response: z.unknown().optional().describe('Instead of text: a whole response of a provider, as its API returned it.'),
        }),
        outputSchema: verdict,
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      async ({ contract: wanted, text, response }) => {
        const { name, contract, request } = await findContract(wanted)
        const body = { ...(text !== undefined && { text }), ...(response !== undefined && { response }) }
        const sent = readAnswerRequest(body, (param, message) => new UsageError(`${param} ${message}`))
        requireAnswer(sent, contract)
        const around = { ports: ports.portsFor(), executor: ports.executorFor(), signal, request }
        const settled = await settle(requestContract(contract, sent.asked), sent.answer, { context: sent.context, ...around })
        return structured({ contract: name, ...settledData(settled, sent.answer, sent.rawToolCalls), text: settled.text })
      },
    )
    server.registerTool(
      'list_contracts',
      {
        title: 'List contracts',
        description: 'Lists the contracts that answers can be checked against, with their checks.',
        inputSchema: z.strictObject({}),
        outputSchema: z.strictObject({ contracts: z.array(z.strictObject({ name: z.string(), checks: z.array(z.string()) })) }),
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      async () => {
        const all = await Promise.all(Object.keys(contracts).map(findContract))
        return structured({ contracts: all.map(({ name, contract }) => ({ name, checks: contract.validators.map((one) => one.name) })) })
      },
    )
    server.registerTool(
      'explain_code',
      {
        title: 'Explain a code',
        description: 'Explains the code of an issue: when it is reported, and what to do about it.',
        inputSchema: z.strictObject({ code: z.string().describe('Such as MAX_WORDS.') }),
        outputSchema: z.strictObject({ explained: z.array(z.looseObject({ code: z.string(), when: z.string(), fix: z.string() })) }),
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      // The place of a page on this machine is of no use to a client.
      async ({ code }) => structured({ explained: (await explainedCode(code, file, io)).map(({ docs: _docs, ...one }) => ({ ...one })) }),
    )
    return server
  }

  try {
    await new Promise<void>((resolve) => {
      const { stdin, stdout } = io
      const transport = new AnsweringTransport({ stdin, stdout, signal, maxBufferSize: largestMessage, lastCallsMs, closed: resolve })
      const handle = serveStdio(makeServer, { transport, onerror: (error) => note(error.message) })
      signal.addEventListener('abort', () => void handle.close(), { once: true })
    })
  } finally {
    await ports.close()
  }
  return exitCode.ok
}

/** A result as data, and as text for clients that read no other. */
function structured<Data extends Record<string, unknown>>(data: Data) {
  return { content: [{ type: 'text' as const, text: JSON.stringify(data) }], structuredContent: data }
}
