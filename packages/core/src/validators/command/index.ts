import * as z from 'zod'
import { environmentName } from '../../contract/rules/http-headers.ts'
import { type CodeEntry, defineValidator } from '../../contract/validator.ts'
import { prepareRule } from '../shared/rules/outside-rule.ts'
import { ruleInstruction } from '../shared/rules/rule-messages.ts'
import { ruleOptions } from '../shared/rules/rule-options.ts'

const word = () =>
  z
    .string()
    .max(10_000)
    .refine((text) => !text.includes('\0'), 'must not hold a NUL character')

/** Of any name, because the codes of the program are passed on. */
const codes: Readonly<Record<string, CodeEntry>> = {
  COMMAND_RULE: {
    severity: 'error',
    when: 'The program reports an issue without a code; issues with one keep theirs.',
    fix: 'Follow the message of the program.',
  },
}

/** Lets a program of the user judge the answer, one JSON object per line. */
export const command = defineValidator({
  name: 'command',
  summary: 'Your own program, which reads and writes one JSON object per line, finds no issues in the answer.',
  get options() {
    const shared = ruleOptions()
    return z.strictObject({
      name: shared.name,
      run: z.tuple([word().min(1)], word()).describe('The program and its arguments, such as `[python3, rule.py]`; no shell reads them.'),
      processes: z.int().positive().max(64).default(2).describe('Maximum concurrent processes; they are started on demand.'),
      env: z
        .array(environmentName)
        .default([])
        .describe('Environment variables that the program gets in addition to the usual ones such as PATH and HOME.'),
      instruct: shared.instruct,
      options: shared.options,
      context: shared.context,
      trusted: shared.trusted,
      timeoutMs: shared.timeoutMs,
      startMs: z
        .int()
        .min(0)
        .max(600_000)
        .default(10_000)
        .describe('Time for a process to start, in milliseconds, in addition to the time for its first answer.'),
    })
  },
  repairs: true,
  codes,
  openCodes: true,
  ports: ['command'],
  instruct: ruleInstruction,
  prepare: ({ name, run, processes, env, timeoutMs, startMs, ...asked }) =>
    prepareRule(
      { name, ...asked },
      { port: 'command', rule: { name, run, processes, env, timeoutMs, startMs } },
      { code: 'COMMAND_RULE', advice: 'provide `ports.command`, such as `commandRules` of @stickler/node' },
    ),
})
