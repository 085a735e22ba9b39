// Check tool calls before anybody runs them. What is clear is repaired, what is only likely is asked again, what was cut off is never run.
import { contract, enforce } from '@stickler/core'
import { type ScriptedTurn, scripted } from '@stickler/core/testing'
import { techtime } from '@stickler/presets/techtime'

/** The tools as the OpenAI SDK takes them: `client.chat.completions.create({ model, messages, tools })`. */
const tools = [
  {
    type: 'function' as const,
    function: {
      name: 'get_ip_config',
      description: 'The addresses of a network adapter.',
      parameters: { type: 'object', properties: { adapter: { type: 'string' } }, required: ['adapter'] },
    },
  },
  {
    type: 'function' as const,
    function: {
      name: 'ping_gateway',
      description: 'Sends packets to the gateway.',
      parameters: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
    },
  },
]

const call = (name: string, args: string): ScriptedTurn => ({ toolCalls: [{ id: 'call_1', name, arguments: args }] })
const right = call('get_ip_config', '{"adapter": "eth0"}')

/** Stands for your own loop: it runs the calls of an answer that keeps the contract, and no others. */
async function ask(title: string, turns: readonly ScriptedTurn[], allow: ('lossless' | 'guess')[] = ['lossless']): Promise<void> {
  const runner = scripted(turns)
  const outcome = await enforce({
    contract: contract({ preset: techtime, allow }),
    runner,
    prompt: 'Why is the network down?',
    context: { tools },
  })
  console.log(`${title}: ${outcome.status}, retries: ${outcome.attempts - 1}`)
  for (const { rule, class: kind, before, after } of outcome.repairs) console.log(`  ${kind} ${rule}: ${before} → ${after}`)
  if (outcome.ok) for (const { name, arguments: args } of outcome.toolCalls) console.log(`  run ${name} ${args}`)
}

await ask('another spelling', [call('Get-IP-Config', "{'adapter': 'eth0'}")])
await ask('only similar', [call('get_ip_configs', '{"adapter": "eth0"}'), right])
await ask('only similar, guesses allowed', [call('get_ip_configs', '{"adapter": "eth0"}')], ['lossless', 'guess'])
await ask('cut off', [{ ...call('get_ip_config', '{"adapter": "et'), finishReason: 'length' }, right])

// prints:
// another spelling: repaired, retries: 0
//   lossless tool-name-same: Get-IP-Config → get_ip_config
//   lossless quotes: ' → "
//   lossless quotes: ' → "
//   lossless quotes: ' → "
//   lossless quotes: ' → "
//   run get_ip_config {"adapter": "eth0"}
// only similar: valid, retries: 1
//   run get_ip_config {"adapter": "eth0"}
// only similar, guesses allowed: repaired, retries: 0
//   guess tool-name-similar: get_ip_configs → get_ip_config
//   run get_ip_config {"adapter": "eth0"}
// cut off: valid, retries: 1
//   run get_ip_config {"adapter": "eth0"}
