import OpenAI from 'openai'

const client = new OpenAI({ baseURL: `http://127.0.0.1:${process.env.PORT ?? 8787}/v1`, apiKey: 'none' })
const stream = await client.chat.completions.create({
  model: 'support',
  messages: [{ role: 'user', content: 'Do I get my money back?' }],
  stream: true,
})
let verdict
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta?.content ?? '')
  verdict = chunk.stickler ?? verdict
}
const { status, attempts, fixed = [], repairs = [] } = verdict
console.log(`\n${status} after ${attempts} attempts`)
for (const { validator, code } of fixed) console.log(`repaired: ${code} of ${validator}`)
for (const { rule, before, after, class: kind } of repairs) console.log(`${kind} ${rule}: ${before} → ${after}`)
