import * as z from 'zod'
import { addressProblem } from '../../contract/rules/address.ts'
import { environmentName, headersEnvSchema, headersSchema } from '../../contract/rules/http-headers.ts'
import { type CodeEntry, defineValidator } from '../../contract/validator.ts'
import { prepareRule } from '../shared/rules/outside-rule.ts'
import { ruleInstruction } from '../shared/rules/rule-messages.ts'
import { ruleOptions } from '../shared/rules/rule-options.ts'

const urlSchema = () =>
  z.string().superRefine((written, context) => {
    const message = addressProblem(written, 'keyEnv or headersEnv')
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

/** Of any name, because the codes of the service are passed on. */
const codes: Readonly<Record<string, CodeEntry>> = {
  REMOTE_RULE: {
    severity: 'error',
    when: 'The service reports an issue without a code; issues with one keep theirs.',
    fix: 'Follow the message of the service.',
  },
}

/** Lets a service of the user judge the answer, over HTTP. */
export const remote = defineValidator({
  name: 'remote',
  summary: 'Your own HTTP service, called with JSON, finds no issues in the answer.',
  get options() {
    const shared = ruleOptions()
    return z.strictObject({
      name: shared.name,
      url: urlSchema()
        .meta({ examples: ['https://rules.example/tone'] })
        .describe('The http or https address that answers are posted to.'),
      keyEnv: environmentName.optional().describe('The environment variable that holds a key, sent as a bearer token.'),
      headers: headersSchema.optional().describe('Additional headers without secrets.'),
      headersEnv: headersEnvSchema.optional().describe('Additional headers, each with the environment variable that holds its value.'),
      instruct: shared.instruct,
      options: shared.options,
      context: shared.context,
      trusted: shared.trusted,
      timeoutMs: shared.timeoutMs,
    })
  },
  repairs: true,
  codes,
  openCodes: true,
  ports: ['remote'],
  instruct: ruleInstruction,
  prepare: ({ name, url, keyEnv, headers, headersEnv, timeoutMs, ...asked }) =>
    prepareRule(
      { name, ...asked },
      { port: 'remote', rule: { name, url, keyEnv, headers, headersEnv, timeoutMs } },
      { code: 'REMOTE_RULE', advice: 'provide `ports.remote`, such as `remoteRules` of @stickler/core/validators' },
    ),
})
