import type { Preset } from '@stickler/core'
import { phantomTools } from './phantom-tools/index.ts'

/** TechTime's tool-call validation: calls are checked before anybody runs them; what is only odd is a warning. */
export const techtime: Preset<'phantom_tools'> = {
  summary: 'TechTime diagnostics: tool calls and their arguments, the order of diagnostic tools, nonexistent tools named in prose.',
  validators: [phantomTools],
  checks: [
    { tool_calls: {} },
    // One question is one diagnosis, as in the design: the next may start over; a short reply is none.
    {
      tool_sequence: {
        scope: 'question',
        order: ['check_adapter_status', 'get_ip_config', 'ping_gateway', 'ping_dns', 'test_dns_resolution'],
      },
    },
    { phantom_tools: {} },
  ],
  mode: 'strict',
  retries: 1,
  repair: 'first',
  // A call that was written as text is made when the model keeps writing it so.
  lastResort: ['guess'],
  locale: 'en',
}
