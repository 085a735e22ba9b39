/** The tags of a notation: what comes before and after the name of an opening tag, and before that of a closing one. */
export interface TagSyntax {
  readonly open: string
  readonly end: string
  readonly close: string
}

/** The marks around the name and the value of an argument; a closing mark may be the next opening one. */
export interface PairSyntax {
  readonly key: readonly [open: string, close: string]
  readonly value: readonly [open: string, close: string]
}

/** How one call is written: `values` are JSON or Python, `named` a name and JSON, `lines` those with a label each, `tool-tags` a tag with the name of a tool; the others have marks of their own around each argument. */
export type Form =
  | 'values'
  | 'named'
  | 'message'
  | 'braces'
  | 'lines'
  | 'tool-tags'
  | { readonly tags: TagSyntax }
  | { readonly pairs: PairSyntax }

/** One way in which models write calls as text. */
export interface Dialect {
  /** Its name in `dialects`. */
  readonly name: string
  /** Models that write it. */
  readonly models: string
  /** Marks that open calls; upper and lower case are the same. Tags may have attributes; `marks.ts` says what `action:` and `<tool>` stand for. */
  readonly opens: readonly string[]
  /** Whether the opening mark is the start of a call itself. */
  readonly opensCall?: boolean
  /** Marks that close them; without any, calls end where no further one can be read. */
  readonly closes: readonly string[]
  /** Marks before, between and after single calls. */
  readonly between?: readonly string[]
  readonly form: Form
  /** Whether its marks are tokens of the model, which no other text has. */
  readonly own?: boolean
  /** A call of `get_weather` for Paris. */
  readonly example: string
}

/** Plain tags. */
export const xml: TagSyntax = { open: '<', end: '>', close: '</' }
const prefixed = (prefix: string): Form => ({ tags: { open: `<${prefix}`, end: '>', close: `</${prefix}` } })
const tags: Form = { tags: xml }
const argPairs: PairSyntax = { key: ['<arg_key>', '</arg_key>'], value: ['<arg_value>', '</arg_value>'] }
const json = '{"name": "get_weather", "arguments": {"city": "Paris"}}'
const args = '{"city": "Paris"}'
const python = '[get_weather(city="Paris")]'
const minimax = ']<]minimax[>['
const antml = 'antml:'

/** Every dialect; of those with the same mark, the first whose form can be read counts. */
export const dialects = [
  // Plain tags, which also documents may have.
  {
    name: 'hermes',
    models: 'Hermes, Qwen 2.5 and 3, Granite 4, ERNIE, Reka, Ling, and most models that are prompted for calls',
    opens: ['<tool_call>', '<tool_calls>', '<function_call>', '<toolcall>', '<functioncall>'],
    closes: ['</tool_call>', '</tool_calls>', '</function_call>', '</toolcall>', '</functioncall>'],
    form: 'values',
    example: `<tool_call>\n${json}\n</tool_call>`,
  },
  {
    name: 'qwen3_coder',
    models: 'Qwen 3 Coder, Nemotron 3, Step 3.5, MiMo',
    opens: ['<tool_call>', '<tool_calls>', '<function_call>'],
    closes: ['</tool_call>', '</tool_calls>', '</function_call>'],
    form: tags,
    example: '<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>',
  },
  {
    name: 'glm',
    models: 'GLM 4.5 to 4.7, Ling 3, HyperCLOVA X, Spark 3, Poolside, Hunyuan 3',
    opens: ['<tool_call>', '<tool_calls>'],
    closes: ['</tool_calls>', '</tool_call>'],
    between: ['<tool_call>', '</tool_call>', '<tool_sep>'],
    form: { pairs: argPairs },
    example: '<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n</tool_call>',
  },
  {
    name: 'functions_tag',
    models: 'Functionary 3.1, Llama 3.1 with custom tools, Qwen 3 Coder, MiniCPM 5',
    opens: ['<function=', '<function name=', '<functionname=', '<functionġname='],
    opensCall: true,
    closes: [],
    between: ['</tool_call>'],
    form: tags,
    example: '<function=get_weather>{"city": "Paris"}</function>',
  },
  {
    name: 'olmo3',
    models: 'OLMo 3',
    opens: ['<function_calls>'],
    closes: ['</function_calls>'],
    form: 'values',
    example: '<function_calls>\nget_weather(city="Paris")\n</function_calls>',
  },
  {
    name: 'invoke',
    models: 'Claude as text, dots, and models that imitate it',
    opens: ['<function_calls>', '<dots_function_call>'],
    closes: ['</function_calls>', '</dots_function_call>'],
    form: tags,
    example: '<function_calls>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>\n</function_calls>',
  },
  {
    name: 'tool_use',
    models: 'models that are prompted for XML',
    opens: ['<tool_use>'],
    closes: ['</tool_use>'],
    between: ['<name>', '<tool_name>', '</arguments>', '</parameters>', '</input>'],
    form: 'named',
    example: `<tool_use>\n<name>get_weather</name>\n<arguments>${args}</arguments>\n</tool_use>`,
  },
  {
    name: 'react',
    models: 'models that are prompted for ReAct, Command R',
    opens: ['action:'],
    opensCall: true,
    closes: [],
    form: 'lines',
    example: `Action: get_weather\nAction Input: ${args}`,
  },
  {
    name: 'tool_tags',
    models: 'models that are prompted by Cline, Roo Code or Kilo Code',
    opens: ['<tool>'],
    opensCall: true,
    closes: [],
    form: 'tool-tags',
    example: '<get_weather>\n<city>Paris</city>\n</get_weather>',
  },
  // Tokens of models.
  {
    name: 'minimax_m2',
    models: 'MiniMax M2',
    opens: ['<minimax:tool_call>'],
    closes: ['</minimax:tool_call>'],
    form: tags,
    own: true,
    example: '<minimax:tool_call>\n<invoke name="get_weather">\n<parameter name="city">Paris</parameter>\n</invoke>\n</minimax:tool_call>',
  },
  {
    name: 'minimax_m3',
    models: 'MiniMax M3',
    opens: [`${minimax}<tool_call>`],
    closes: [`${minimax}</tool_call>`],
    form: { tags: { open: `${minimax}<`, end: '>', close: `${minimax}</` } },
    own: true,
    example: ['<tool_call>', '<invoke name="get_weather">', '<city>Paris', '</city>', '</invoke>', '</tool_call>']
      .map((tag) => minimax + tag)
      .join(''),
  },
  {
    name: 'seed_oss',
    models: 'Seed OSS',
    opens: ['<seed:tool_call>'],
    closes: ['</seed:tool_call>'],
    form: tags,
    own: true,
    example: '<seed:tool_call>\n<function=get_weather>\n<parameter=city>Paris</parameter>\n</function>\n</seed:tool_call>',
  },
  {
    name: 'longcat',
    models: 'LongCat',
    opens: ['<longcat_tool_call>'],
    closes: ['</longcat_tool_call>'],
    form: 'values',
    own: true,
    example: `<longcat_tool_call>${json}</longcat_tool_call>`,
  },
  {
    name: 'anthropic',
    models: 'Claude',
    opens: [`<${antml}function_calls>`],
    closes: [`</${antml}function_calls>`],
    form: prefixed(antml),
    own: true,
    example: `<${antml}function_calls><${antml}invoke name="get_weather"><${antml}parameter name="city">Paris</${antml}parameter></${antml}invoke></${antml}function_calls>`,
  },
  {
    name: 'deepseek_v3',
    models: 'DeepSeek V3, V3.1, R1',
    opens: ['<｜tool▁calls▁begin｜>', '<｜tool▁call▁begin｜>'],
    closes: ['<｜tool▁calls▁end｜>'],
    between: ['<｜tool▁call▁begin｜>', '<｜tool▁call▁end｜>', 'function<｜tool▁sep｜>'],
    form: 'named',
    own: true,
    example: `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>${args}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  },
  {
    name: 'deepseek_v32',
    models: 'DeepSeek V3.2, V4',
    opens: ['<｜dsml｜function_calls>', '<｜dsml｜tool_calls>'],
    closes: ['</｜dsml｜function_calls>', '</｜dsml｜tool_calls>'],
    form: prefixed('｜DSML｜'),
    own: true,
    example:
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Paris</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
  },
  {
    name: 'gigachat35',
    models: 'GigaChat 3.5',
    opens: ['<｜gcml｜tool_calls>'],
    closes: ['</｜gcml｜tool_calls>'],
    form: prefixed('｜GCML｜'),
    own: true,
    example:
      '<｜GCML｜tool_calls><｜GCML｜invoke name="get_weather"><｜GCML｜parameter name="city" string="true">Paris</｜GCML｜parameter></｜GCML｜invoke></｜GCML｜tool_calls>',
  },
  {
    name: 'step3',
    models: 'Step 3',
    opens: ['<｜tool_calls_begin｜>', '<｜tool_call_begin｜>'],
    closes: ['<｜tool_calls_end｜>'],
    between: ['<｜tool_call_begin｜>', '<｜tool_call_end｜>', 'function<｜tool_sep｜>'],
    form: prefixed('steptml:'),
    own: true,
    example:
      '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Paris</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
  },
  {
    name: 'kimi_k2',
    models: 'Kimi K2',
    opens: ['<|tool_calls_section_begin|>', '<|tool_call_begin|>'],
    closes: ['<|tool_calls_section_end|>'],
    between: ['<|tool_call_begin|>', '<|tool_call_end|>'],
    form: 'named',
    own: true,
    example: `<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>${args}<|tool_call_end|><|tool_calls_section_end|>`,
  },
  {
    name: 'kimi_k3',
    models: 'Kimi K3',
    opens: ['<|open|>tools<|sep|>'],
    closes: ['<|close|>tools<|sep|>'],
    form: { tags: { open: '<|open|>', end: '<|sep|>', close: '<|close|>' } },
    own: true,
    example:
      '<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Paris<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
  },
  {
    name: 'mistral',
    models: 'Mistral, Magistral, Devstral',
    opens: ['[tool_calls]'],
    closes: [],
    between: ['[tool_calls]'],
    form: 'named',
    own: true,
    example: `[TOOL_CALLS]get_weather[ARGS]${args}`,
  },
  {
    name: 'llama3',
    models: 'Llama 3.1 to 3.3, Llama 4',
    opens: ['<|python_tag|>', '<|python_start|>'],
    closes: [],
    between: ['<|python_end|>', '<|eom_id|>'],
    form: 'values',
    own: true,
    example: `<|python_tag|>{"name": "get_weather", "parameters": ${args}}`,
  },
  {
    name: 'granite',
    models: 'Granite 3, Phi 4 mini',
    opens: ['<|tool_call|>'],
    closes: [],
    between: ['<|/tool_call|>', '<|tool_call|>'],
    form: 'values',
    own: true,
    example: `<|tool_call|>[${json}]`,
  },
  {
    name: 'lfm2',
    models: 'LFM 2, MiniCPM 3, openPangu',
    opens: ['<|tool_call_start|>', '[unused11]'],
    closes: ['<|tool_call_end|>', '[unused12]'],
    form: 'values',
    own: true,
    example: `<|tool_call_start|>${python}<|tool_call_end|>`,
  },
  {
    name: 'apertus',
    models: 'Apertus',
    opens: ['<|tools_prefix|>'],
    closes: ['<|tools_suffix|>'],
    form: 'values',
    own: true,
    example: `<|tools_prefix|>[{"get_weather": ${args}}]<|tools_suffix|>`,
  },
  {
    name: 'cohere',
    models: 'Command R7B, Command A',
    opens: ['<|start_action|>'],
    closes: ['<|end_action|>'],
    form: 'values',
    own: true,
    example: `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "get_weather", "parameters": ${args}}]<|END_ACTION|>`,
  },
  {
    name: 'internlm',
    models: 'InternLM 2 and 3',
    opens: ['<|action_start|>'],
    closes: ['<|action_end|>'],
    between: ['<|plugin|>', '<|interpreter|>'],
    form: 'values',
    own: true,
    example: `<|action_start|><|plugin|>{"name": "get_weather", "parameters": ${args}}<|action_end|>`,
  },
  {
    name: 'gigachat3',
    models: 'GigaChat 3',
    opens: ['<|function_call|>', '<|message_sep|>\n\nfunction call<|role_sep|>'],
    closes: [],
    form: 'values',
    own: true,
    example: `<|function_call|>${json}`,
  },
  {
    name: 'inkling',
    models: 'Inkling',
    opens: ['<|content_invoke_tool_json|>'],
    closes: ['<|end_message|>'],
    form: 'values',
    own: true,
    example: '<|content_invoke_tool_json|>{"name": "get_weather", "args": {"city": "Paris"}}<|end_message|>',
  },
  {
    name: 'gemma4',
    models: 'Gemma 4, FunctionGemma',
    opens: ['<|tool_call>', '<start_function_call>'],
    closes: ['<tool_call|>', '<end_function_call>'],
    form: 'braces',
    own: true,
    example: '<|tool_call>call:get_weather{city:<|"|>Paris<|"|>}<tool_call|>',
  },
  {
    name: 'solar',
    models: 'Solar Open',
    opens: ['<|tool_call:start|>'],
    closes: ['<|tool_call:end|>'],
    form: { pairs: { key: ['<|tool_arg:start|>', '<|tool_arg:value|>'], value: ['', '<|tool_arg:end|>'] } },
    own: true,
    example: '<|tool_call:start|>get_weather\n<|tool_arg:start|>city<|tool_arg:value|>Paris<|tool_arg:end|>\n<|tool_call:end|>',
  },
  {
    name: 'plamo',
    models: 'PLaMo 3',
    opens: ['<|plamo:begin_tool_requests:plamo|>'],
    closes: ['<|plamo:end_tool_requests:plamo|>'],
    between: [
      '<|plamo:begin_tool_request:plamo|>',
      '<|plamo:end_tool_request:plamo|>',
      '<|plamo:begin_tool_name:plamo|>',
      '<|plamo:end_tool_arguments:plamo|>',
    ],
    form: 'named',
    own: true,
    example: `<|plamo:begin_tool_requests:plamo|><|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>get_weather<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|>${args}<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|><|plamo:end_tool_requests:plamo|>`,
  },
  {
    name: 'k2_horizon',
    models: 'K2 Horizon',
    opens: ['<ifm|tool_calls>', '<ifm|tool_call>'],
    closes: ['</ifm|tool_calls>'],
    between: ['<ifm|tool_call>', '</ifm|tool_call>'],
    form: { pairs: { key: ['<ifm|arg_key>', '</ifm|arg_key>'], value: ['<ifm|arg_value>', '</ifm|arg_value>'] } },
    own: true,
    example: '<ifm|tool_call>get_weather\n<ifm|arg_key>city</ifm|arg_key>\n<ifm|arg_value>Paris</ifm|arg_value>\n</ifm|tool_call>',
  },
  {
    name: 'harmony',
    models: 'gpt-oss, Muse',
    opens: ['<|start|>assistant', '<|channel|>'],
    opensCall: true,
    closes: [],
    form: 'message',
    own: true,
    example: `<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>${args}<|call|>`,
  },
] as const satisfies readonly Dialect[]

/** What `dialects` may name: JSON and Python without any marks, too. */
export const dialectNames = ['json', 'python', ...dialects.map(({ name }) => name)] as const
