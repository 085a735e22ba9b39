import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { check, contract } from '@stickler/core'
import { describe, expect, test } from 'vitest'
import { assertStreamable } from '../../../../core/src/testing/assert-streamable.ts'
import { localeFaults } from '../../../../core/src/testing/locale-faults.ts'
import { catalogue } from '../../testing/contract.ts'
import { phantomTools } from './index.ts'

const tools = ['check_adapter_status', 'get_ip_config', 'ping_gateway', 'ping_dns', 'test_dns_resolution'].map((name) => ({
  name,
  parameters: [{ name: 'get_timeout', type: 'number' }],
}))
type Options = Parameters<typeof phantomTools>[0]

async function phantoms(text: string, options: Options = {}, offered: unknown = tools): Promise<string[]> {
  const { issues } = await check(contract({ checks: [phantomTools(options)] }), text, { context: { tools: offered } })
  return issues.map(({ code, span }) => `${code === 'PHANTOM_TOOL' ? '' : code}${text.slice(span?.start, span?.end)}`)
}

const fence = '```'

/** What packages say of themselves: prose full of names that are no tools. */
async function documents(): Promise<string[]> {
  const root = fileURLToPath(new URL('../../../../../node_modules/', import.meta.url))
  const texts: string[] = []
  for (const name of (await readdir(root)).sort()) {
    const text = await readFile(`${root}${name}/README.md`, 'utf8').catch(() => '')
    if (text !== '') texts.push(text)
  }
  return texts
}

describe('phantom_tools', () => {
  test.each<[string, string[]]>([
    ['I ran check_network_status to diagnose', ['check_network_status']],
    ['check_network_status shows that all is well. Then check_network_status again.', ['check_network_status']],
    [
      '**check_wifi** and _get_signal_strength_, "ping_router" (see fetch_logs).',
      ['check_wifi', 'get_signal_strength', 'ping_router', 'fetch_logs'],
    ],
    ['I called `restart_router()` and `exit_status(1)`.', ['restart_router', 'exit_status']],
    ['The `run_speedtest` tool says 20 Mbps', ['run_speedtest']],
    ['Use the tool diagnose_network for that', ['diagnose_network']],
    ['I used `measure_latency` first', ['measure_latency']],
    ['I will run ping_gatway() now; pin_gateway() then', ['ping_gatway', 'pin_gateway']],
    ['Ich habe das Tool test_wlan benutzt', ['test_wlan']],
    ['I used wifi_status', ['wifi_status']],
    ['I ran adapter_reset, and it helped.', ['adapter_reset']],
    ['I have just called the route_trace.', ['route_trace']],
    ['Let me run adapter_reset now', ['adapter_reset']],
    ['ich habe wifi_status verwendet', ['wifi_status']],
    ['Anschließend habe ich adapter_reset zweimal ausgeführt.', ['adapter_reset']],
    ['Wir haben "wifi_status" und adapter_reset benutzt', ['wifi_status', 'adapter_reset']],
    ['Dann wurde adapter_reset aufgerufen.', ['adapter_reset']],
    ['Ich rufe jetzt wifi_status auf.', ['wifi_status']],
    ['Ich werde adapter_reset ausführen', ['adapter_reset']],
    ['I ran adapter_reset 3 times, and then we executed dns_flush.', ['adapter_reset', 'dns_flush']],
    ['I have run speed_test; next I’ll call bandwidth_monitor', ['speed_test', 'bandwidth_monitor']],
    ['I tried `port_scan` and used signal_check', ['port_scan']],
    ['I used the get_rid_list and get_by_id', ['get_rid_list', 'get_by_id']],
    ['Line one\r\n- get_dns_cache\r\n', ['get_dns_cache']],
    ['get_a_thing\n'.repeat(3), ['get_a_thing']],
    ['check_ёжик', []],
    ['Das Netz geht wieder, weil ich adapter_reset ausgeführt habe.', ['adapter_reset']],
    ['Ich weiß, dass wifi_status aufgerufen wurde', ['wifi_status']],
    ['Nachdem wir den "adapter_reset" noch einmal gestartet hatten, ging es.', ['adapter_reset']],
    ['Es geht, obwohl `wifi_status` zweimal aufgerufen worden ist.', ['wifi_status']],
    ['Warte, bis es geht, da ich adapter_reset ausführen werde.', ['adapter_reset']],
    ['Bevor ich adapter_reset ausführe, sichere ich alles. Als ich dns_flush aufrief, war es gut.', ['adapter_reset', 'dns_flush']],
    ['wifi_status wurde soeben aufgerufen; ich habe nicht nur dns_flush ausgeführt.', ['wifi_status', 'dns_flush']],
    ['weil ich wifi_status verwendet habe', ['wifi_status']],
    ['Laut wifi_status ist alles gut.', ['wifi_status']],
    ['Gemäß der Ausgabe von `wifi_status` ist alles gut, dns_check zufolge auch.', ['wifi_status', 'dns_check']],
    ['According to wifi_status, or to the result of x, all is well', ['wifi_status']],
    ['We have just called wifi_status. I then also successfully called route_trace.', ['wifi_status', 'route_trace']],
    ['I ran the command adapter_reset. The tool called wifi_status', ['adapter_reset', 'wifi_status']],
    ['Ich habe den Befehl adapter_reset ausgeführt', ['adapter_reset']],
    ['I ran trace_route and used trace_path; ich habe `trace_route` verwendet.', ['trace_route', 'trace_path']],
    ['I ran list_files, then we executed query_database and I called `renew_token`.', ['list_files', 'query_database', 'renew_token']],
    ['Ich habe flush_tables ausgeführt, restart_jobs wurde aufgerufen.', ['flush_tables', 'restart_jobs']],
  ])('%j', async (text, expected) => {
    expect(await phantoms(text)).toEqual(expected)
  })

  test.each([
    'I ran check_adapter_status and `get_ip_config`, then `ping_gateway()`.',
    'Call Get-IP-Config, GET_IP_CONFIG or Ping_DNS.',
    'Its argument get_timeout is a number.',
    'See get_started for the first steps, `get_started`, or check_list.',
    'I used snake_case, the user_id column, and kebab_style names; we use max_length.',
    'Ich habe die Spalte user_id verwendet, und snake_case benutzt.',
    'Die Tabelle wurde mit user_id angelegt; max_length wird verwendet.',
    'We used error_count as a metric, and I used error_count.',
    'I tried max_retries with 3. I tried `max_retries`.',
    'I used python_version 3.12. We use node_version v20.1.',
    'To get_rid of it, get_up, check_it, `get_used_to` it and check_in; see get_going.',
    'I used the `user_id` column, `error_rate` and `zeros_like(x)`; I use the `max_length` option.',
    'I used NODE_ENV and ran MY_APP; we used HOME_DIR.',
    'I used wifi_status = 1, exit_status as the result and order_status of 3.',
    'I used trace_level, search_path and list_files; I called trace_id, and we ran reset_script and list_main.',
    'We ran unit_tests, I ran my_script, I executed the build_job, and we ran the load_suite.',
    'We call parse_args first; we run web_server on port 80. They ran adapter_reset.',
    'I ran into rate_limit and I ran out of disk_space; I called it error_handler.',
    'I used test_data, run_id, list_price, query_string and search_path. I ran test_data.',
    'I used ip_address 10.0.0.1, dns_server 8.8.8.8, learning_rate=0.1 and batch_size of 32.',
    'I used config_file.yaml, main_loop.py and data/raw_table; I tried random_forest and linear_regression.',
    'Ich habe error_count als Metrik verwendet und max_retries auf 3 gesetzt; wir haben python_version 3.12 benutzt.',
    'Ich verwende batch_size; wir nutzen order_total.',
    'Let me use snake_case, a foreign_key and the primary_color here.',
    'I read adapter_reset and wrote wifi_status.',
    'The exit_status is 1, `exit_status` is 0, order_status and http_status too.',
    'The variables user_name, `max_retries` and test_data, run_id, list_price.',
    'See src/check_network.py, check_network.py, get_x.sh, ./get_this/get_that, C:\\get_it and http://localhost/get_thing?get_id=1.',
    '[link](https://example.org/check_me) <a href="get_it">x</a>',
    'Use `x = get_user(1)` or `self.get_user()` or obj.get_user() or $get_var or --get_opt or get_x=1 or get_a[0].',
    'Define the function get_user, the `get_user` method, the get_user column and def get_user.',
    'Python has `str_replace()`, `zeros_like(x)`, map() and print().',
    'The test_login test failed; run `test_login` again.',
    '__get_item__ and _get_private and get_ and _status and GET and get.',
    `${fence}\nget_unknown()\ncheck_unknown\n${fence}`,
    `~~~sh\nget_unknown\n~~~`,
    `${fence}\nget_unknown()`,
    '<think>I could use check_network_status.</think>Fine.',
    `check_${'x'.repeat(100)}`,
    'I created a list called `fib_arr`, and we made a small helper named get_fib; I wrote a check called check_sum_of.',
    'I used the functions `a_b` and `c_d`; I ran the functions run_a(), check_b(1), `get_c` and `ping_d`.',
    'Dafür gibt es das Nagios-Plugin check_http, die Hilfsfunktion get_user und ein Modul namens check_disk.',
    'Die Variable heißt get_mode. Der Wert lautet check_mode, auch bekannt unter dem Namen: ein Objekt mit dem Namen get_x.',
    'We watch the metric ping_latency_ms, metrics such as get_count_total, and the Prometheus gauges: check_up, ping_loss.',
    '`check_http` is a Nagios plugin; check_disk is one of the standard plugins. `get_user` (a helper function).',
    'check_load ist ein Plugin, get_user ist eine Hilfsfunktion, und das `check_http`-Plugin auch.',
    'The command check_disk and the service ping_monitor exist; der Befehl check_disk_usage auch.',
    'I have not run adapter_reset, I didn’t call wifi_status, and we never executed dns_flush.',
    'Ich habe adapter_reset nicht ausgeführt; ich weiß nicht, ob wifi_status aufgerufen wurde.',
    'If I had run adapter_reset … Falls ich adapter_reset ausführe, wenn ich wifi_status verwendet habe, sofern ich dns_flush aufrufe.',
    'Laut exit_status ging es schief; sortiert nach order_status, je http_status; according to user_guide and error_log.',
    'If adapter_reset was executed, once dns_flush has been run; fix it by running dns_flush, and restart after running dns_flush.',
    'We started web_server, queried user_table, triggered on_click; error_handler has been called, main_loop was run by the kernel.',
    'parse_args wird aufgerufen, sobald main_loop läuft; weil parse_args aufgerufen wird.',
    '',
  ])('nothing in %j', async (text) => {
    expect(await phantoms(text)).toEqual([])
  })

  const written = ['wifi_status', '`wifi_status`', '"wifi_status"', '**wifi_status**', '`wifi_status()`']
  const claims = [
    ...['I ran X', 'I have called X twice', 'we executed X', 'I will run X next', 'Let me call X', 'I invoked the X'],
    ...['according to X, all is well'],
    ...['ich habe X ausgeführt', 'wir haben gerade X aufgerufen', 'ich rufe X auf', 'dann wurde X aufgerufen', 'X wurde ausgeführt'],
    ...['laut X'],
    ...['weil ich X ausgeführt habe', 'nachdem wir X aufgerufen hatten', 'dass ich X verwendet habe', 'dass X aufgerufen wurde'],
    ...['X zufolge'],
    ...['da X schon ausgeführt worden ist', 'dass ich X ausführen werde', 'bevor ich X aufrufe', 'indem wir X ausführen'],
    ...['als ich X aufrief'],
    ...['X was called and returned up', 'X has already been executed', 'after running X the link came up', 'I triggered X'],
    ...['we have started the X', 'I queried X', 'the output of X shows up', 'the call to X succeeded', 'the X call failed'],
    ...['as X shows, all is well'],
    ...['ich starte X', 'jetzt starte ich X', 'sobald X ausgeführt war', 'obwohl ich X schon zweimal abgefragt habe'],
    ...['X wurde abgefragt', 'X wurde gestartet', 'X ist ausgeführt worden', 'X habe ich schon ausgeführt', 'ich startete X'],
    ...['ich führte X aus', 'ich frage X ab', 'nach dem Ausführen von X ging es', 'der Aufruf von X war erfolgreich'],
    ...['die Ausgabe von X zeigt nichts', 'wie X zeigt'],
    ...[
      'weil X gestartet wurde',
      'ich habe X laufen lassen',
      'ich ließ X zweimal laufen',
      'X wird jetzt ausgeführt',
      'X hat ergeben, dass es geht',
    ],
    ...['wie X gezeigt hat', 'die Prüfung mit X ergab nichts', 'per X wurde der Adapter geprüft', 'das Ergebnis von X lautet up'],
    ...[
      'durch Ausführen von X habe ich den Fehler ermittelt',
      'nach Ausführung von X ist alles gut',
      'X returned up',
      'X reports that all is up',
    ],
    ...[
      'I checked the adapter with X',
      'let me check it with X',
      'using X, I found the cause',
      'by running X I found it',
      'we verified it via X',
    ],
    ...['all is up. Calling X now', 'all is up. Based on X, the link is down', 'all is up. Output of X: up', 'X result: up'],
    ...['ich habe mit X den Status geprüft', 'mithilfe von X habe ich den Fehler ermittelt', 'aus X geht hervor, dass alles gut ist'],
  ]
  const descriptions = [
    ...['a list called X', 'I made a variable named X', 'the functions a_b, `c_d` and X', 'the metric X', 'fields such as X'],
    ...['a plugin known as X'],
    ...['eine Liste namens X', 'das Nagios-Plugin X', 'die Methoden a_b und X', 'die Metrik X', 'ein Feld mit dem Namen X'],
    ...['die Spalten a_b, c_d sowie X'],
    ...['X is a function', 'X, the helper method', 'X ist eine globale Variable', 'the X column', 'die Umgebungsvariable X'],
    ...['Variablen wie X'],
    ...['I did not run X', 'if I had called X', 'ich habe X nicht ausgeführt', 'falls ich X ausführe', 'ob X aufgerufen wurde'],
    ...['wenn X aufgerufen wurde'],
    ...['a list, which we call X', 'ein Feld, das X heißt', 'I named it X', 'we store the state in X', 'the tuple X', 'a dictionary (X)'],
    ...[
      'where X is the state',
      'we set X to on',
      'running X clears the cache',
      'we filter based on X',
      'X wird aufgerufen',
      'X returns a number',
    ],
    ...['X was not called', 'without running X', 'after running X you will see', 'the call to X is optional', 'sobald X ausgeführt ist'],
    ...['ein Aufruf von X ist nicht nötig', 'X wurde nicht ausgeführt'],
  ]
  /** What is said of names that start like tools. */
  const otherNames = [
    'Der Wert von ping_avg_ms ist 3.',
    'I named it get_x and stored the result in get_y; the matrix get_z, the callback get_w, the query get_v (where get_u is the rate).',
    'Eine Liste, die get_x heißt. Set get_y to 3; the data frame ping_z; a role (check_x).',
    '| ping_avg_ms | 12 |',
    'ping_avg_ms: 12',
    'ping_loss is 0.5, get_total = 4 and get_load beträgt -1',
    'The value of get_x; the values get_x and get_y are equal; die Werte get_x und get_y',
    'Das Zabbix-Item ping_loss; der Cronjob fetch_feeds; the cron job fetch_mail',
    'Icinga2 mit check_ssh und check_http überwacht den Host.',
    'Nagios watches the host by check_ssh, check_http, and check_load.',
    'check_ssh from Nagios; in Python, get_name returns a string.',
    'The functions are `get_a` and `get_b`.',
    'La función get_total calcula la suma. La méthode get_nom, la variabile get_nome.',
    'Define get_name as follows. Implement `get_size` first. Schreibe get_breite neu.',
    'Django provides get_object_or_404. Fastlib offers get_speed.',
    'Both functions, `get_a` and `get_b`, return numbers; I have two lists, get_a and ping_b. Beide Funktionen, get_a und get_b, sind neu.',
    'I wrote check_prime for you. We call it `check_prime`. Nennen wir sie check_prime. Rename `get_x` to `fetch_x`.',
    'Use `check_output` from the subprocess module, get_user in the `users.py` file, or check_x aus dem Modul y. The systemd unit check_disk starts.',
    'Laut Dokumentation ist check_http ein Nagios-Plugin, und im Code ist get_user eine kleine Hilfsfunktion.',
  ]
  const denials = [
    ...['I did not run X', 'I never called X', 'we have not executed X', 'I cannot run X', 'without calling X', 'X was not called'],
    ...['X has never been executed', 'X is not available', 'there is no tool called X', 'there is no X tool'],
    ...['ich habe X nicht ausgeführt', 'ich kann X nicht ausführen', 'X wurde nie aufgerufen', 'weil ich X nicht ausgeführt habe'],
    ...['X habe ich nicht ausgeführt', 'X kann ich nicht aufrufen', 'X gibt es nicht', 'I don’t have access to X'],
    ...['X ist nicht verfügbar', 'ohne X auszuführen', 'es gibt kein Tool namens X'],
  ]
  test('names of something else, and denials, whatever the name starts with', async () => {
    const wrong: string[] = []
    for (const text of otherNames) if ((await phantoms(text)).length > 0) wrong.push(text)
    for (const text of denials) if ((await phantoms(`So ${text.replace('X', 'check_firewall')}.`)).length > 0) wrong.push(text)
    expect(wrong).toEqual([])
  })

  test.each([
    'After reading these files, I ran check_firewall.',
    'In the file, check_firewall is named.',
    'check_firewall did not find anything.',
    'Eine Prüfung mit check_firewall zeigt nichts.',
    'Nagios is down, so I ran check_firewall.',
    'I ran check_firewall, not without reason.',
    'Ich habe check_firewall ausgeführt und nichts gefunden.',
    'Icinga fehlt. Mit check_firewall ging es.',
    'check_firewall: 10.0.0.1 is open',
    'I have not only called check_firewall.',
  ])('still in %j', async (text) => {
    expect(await phantoms(text)).toEqual(['check_firewall'])
  })

  test.each(written)('claims name tools, descriptions do not: %s', async (form) => {
    const put = (text: string): string => `So ${text.replace('X', () => form)}.`
    const missed: string[] = []
    for (const text of claims) if ((await phantoms(put(text))).length === 0) missed.push(text)
    for (const text of descriptions) if (!form.includes('(') && (await phantoms(put(text))).length > 0) missed.push(text)
    expect(missed).toEqual([])
  })

  test('hardly ever on ordinary prose: the documents of what is installed here', { timeout: 60_000 }, async () => {
    const found = await documents()
    let names = 0
    let words = 0
    for (const text of found) {
      names += (await phantoms(text)).length
      words += text.split(/\s+/).length
    }
    expect(found.length).toBeGreaterThan(50)
    // Not none: documents of tools for models speak of tools.
    expect(names / words).toBeLessThan(1 / 20_000)
  })

  test.each([
    'The log says "ERROR check_wifi failed: I ran get_signal_strength".',
    'Im Log steht: „dann wurde check_wifi aufgerufen“.',
    'Le journal dit « I called check_wifi ».',
    "The log says 'I ran check_wifi twice' here.",
    'See the log:\n\n> 12:00 I ran check_wifi\n> 12:01 `get_signal_strength` failed\n',
    '1. The log:\n   - > I ran check_wifi',
    '> check_wifi',
    'It logged `I ran check_wifi at 12:00`, “check_wifi: ok” and "`check_wifi` is up".',
  ])('what is quoted is no claim: %j', async (text) => {
    expect(await phantoms(text)).toEqual([])
    expect(await phantoms(text, { strict: true })).toEqual([])
    await assertStreamable(contract({ checks: [phantomTools({ strict: true })] }), text, undefined, { context: { tools } })
  })

  test.each([
    'I ran "check_wifi" and it said "all is up".',
    'I ran „check_wifi“, ‘`check_wifi`’ and "check_wifi(1)."',
    "I don't know; I ran check_wifi, and the users' own.",
    'The 5" disk is full; I ran check_wifi.',
    '"All is up." I ran check_wifi after that, as "you" said.',
  ])('a name in quotation marks, or beside a quotation, is one: %j', async (text) => {
    expect(await phantoms(text)).toEqual(['check_wifi'])
  })

  test('only when tools are known', async () => {
    for (const none of [null, [], 'x', {}]) expect(await phantoms('I ran check_network_status', {}, none)).toEqual([])
  })

  test('prefixes and suffixes of one’s own', async () => {
    expect(await phantoms('net_probe and check_network and do_scan()', { prefixes: ['net_'], suffixes: ['_scan'] })).toEqual([
      'net_probe',
      'do_scan',
    ])
    expect(() => contract({ checks: [phantomTools({ prefixes: [''] })] })).toThrow(/prefixes/)
  })

  test('is a warning with the closest tool', async () => {
    const { issues } = await check(contract({ checks: [phantomTools({})] }), 'I ran check_adapters_status', { context: { tools } })
    expect(issues).toMatchObject([
      { severity: 'warning', hint: 'Did you mean check_adapter_status?', suggestion: 'check_adapter_status', span: { start: 6, end: 27 } },
    ])
  })

  test('never holds a stream back', async () => {
    await assertStreamable(contract({ checks: [phantomTools({})] }), 'I ran check_network_status 👍')
  })

  test('hostile text', async () => {
    expect((await phantoms(Array.from({ length: 10_000 }, (_, at) => `get_${at}x`).join(' '))).length).toBe(20)
    expect(await phantoms(Array.from({ length: 20_000 }, (_, at) => `some_name_${at}()`).join(' '))).toEqual([])
    expect(await phantoms('_'.repeat(1_000_000))).toEqual([])
    expect(await phantoms('a_'.repeat(500_000))).toEqual([])
    expect(await phantoms(`x_y(${'('.repeat(500_000)}`)).toEqual([])
    expect(await phantoms('`'.repeat(100_000))).toEqual([])
    expect(await phantoms('I call the '.repeat(50_000))).toEqual([])
    for (const mark of ['"', '“', '„', '«', '»', '‘', " '", '> ', '\n> ', '\n- '])
      expect(await phantoms(`${mark.repeat(100_000)}${`a_b ${mark}`.repeat(20_000)}`)).toEqual([])
  })
})

test('says everything in both languages', async () => {
  const tools = [{ type: 'function', function: { name: 'ping', parameters: { type: 'object' } } }]
  expect(
    await localeFaults(
      'phantom_tools',
      [{ text: 'Ich rufe `wifi_scan()` auf. I used the tool wifi_scan.', context: { tools } }],
      catalogue,
    ),
  ).toEqual([])
})
