/** The configuration that `stickler init` writes: it works without a key or a network. */
export const starter = `# yaml-language-server: $schema=stickler.schema.json
# Contracts for the answers of language models.
#   stickler run "Nobody can log in."  asks the first upstream under the contract below
#   stickler check answer.md           checks an answer in a file
#   stickler list                      shows what can be checked
#   stickler serve                     enforces the contract for any OpenAI or Anthropic client

# Models that can be asked; \`stickler run\` uses the first one unless you pass --upstream NAME.
upstreams:
  # A script instead of a model: its first answer does not match the schema, its second one is only sloppy.
  - name: demo
    kind: scripted
    answers:
      - '{"title": "Login fails", "priority": "ASAP"}'
      - '{"title": "Login fails", "priority": "HIGH",}'

  # Keep keys out of this file: apiKeyEnv names the environment variable that holds one.
  # - name: openai
  #   kind: openai
  #   baseUrl: https://api.openai.com/v1
  #   apiKeyEnv: OPENAI_API_KEY
  #   model: gpt-5.4-mini
  #   timeouts: { firstByte: 30, idle: 30, total: 120 }   # seconds
  # - name: ollama
  #   kind: openai
  #   baseUrl: http://127.0.0.1:11434/v1
  #   model: qwen3
  # - name: claude
  #   kind: claude-cli

# With a single contract, \`stickler run\` and \`stickler check\` need no --contract NAME.
contracts:
  answers:
    mode: strict          # strict: an invalid answer is not delivered; lenient: delivered with its issues; shadow: only recorded
    retries: 2            # how often the model may be asked again
    instruct: schema      # what the model is told first: the schema of json; true: every rule; false: nothing
    repair: first         # first: repair before asking again; last: after the last retry; never
    allow: [lossless]     # classes of repair that may be applied: lossless, lossy, guess
    stream: hold          # hold: release nothing before the verdict; verified: release what is proven safe; pass
    checks:
      - json:
          schema:
            type: object
            properties: { title: { type: string }, priority: { enum: [low, high] } }
            required: [title, priority]
      - sensitive: { kinds: [email, phone, api_key] }

# Models that \`stickler serve\` offers: clients request \`demo\` and get answers that meet the contract.
routes:
  - { model: demo, upstream: demo, contract: answers }
`
