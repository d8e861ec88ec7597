// nginx's configuration: statements that end with a semicolon, blocks in braces, files that include others. What is wrong is said
// in nginx's words, with file and line.
import type {Start} from '../image.ts';

/** A statement, or a block of statements. */
export interface Directive {
  readonly name: string;
  readonly args: readonly string[];
  readonly file: string;
  readonly line: number;
  readonly block?: readonly Directive[];
}

/** The words that are known; of others nginx says so and ends. */
const KNOWN = new Set(
  `user worker_processes worker_rlimit_nofile error_log pid events worker_connections multi_accept use http stream include load_module
  daemon master_process env types default_type log_format access_log sendfile tcp_nopush tcp_nodelay keepalive_timeout keepalive_requests
  types_hash_max_size server_names_hash_bucket_size server_names_hash_max_size server_tokens gzip gzip_types gzip_vary gzip_proxied
  gzip_comp_level gzip_min_length gzip_disable client_max_body_size client_body_buffer_size client_header_timeout client_body_timeout
  send_timeout client_body_temp_path proxy_temp_path fastcgi_temp_path uwsgi_temp_path scgi_temp_path server listen server_name root
  alias index location try_files return rewrite if set map geo split_clients upstream least_conn ip_hash hash random zone keepalive
  proxy_pass proxy_set_header proxy_http_version proxy_redirect proxy_buffering proxy_buffers proxy_buffer_size proxy_busy_buffers_size
  proxy_connect_timeout proxy_read_timeout proxy_send_timeout proxy_next_upstream proxy_cache proxy_cache_path proxy_cache_valid
  proxy_cache_bypass proxy_ssl_verify proxy_ssl_server_name proxy_hide_header proxy_pass_header proxy_intercept_errors proxy_timeout
  add_header expires etag autoindex error_page allow deny auth_basic auth_basic_user_file satisfy internal resolver resolver_timeout
  ssl_certificate ssl_certificate_key ssl_protocols ssl_ciphers ssl_prefer_server_ciphers ssl_session_cache ssl_session_timeout
  ssl_session_tickets ssl_dhparam ssl_stapling ssl_stapling_verify ssl_client_certificate ssl_verify_client http2 stub_status
  fastcgi_pass fastcgi_param fastcgi_index fastcgi_split_path_info fastcgi_read_timeout fastcgi_buffers uwsgi_pass limit_req
  limit_req_zone limit_conn limit_conn_zone real_ip_header set_real_ip_from absolute_redirect port_in_redirect charset
  open_file_cache large_client_header_buffers client_header_buffer_size underscores_in_headers merge_slashes break sub_filter
  sub_filter_once limit_except mirror auth_request gzip_static reset_timedout_connection directio aio variables_hash_max_size
  map_hash_bucket_size proxy_method proxy_set_body preread_buffer_size ssl_preread worker_shutdown_timeout thread_pool pcre_jit`.split(
    /\s+/,
  ),
);

interface Token {
  readonly text: string;
  readonly line: number;
  readonly isMark: boolean;
}

/** The statements of a file, with those that it includes in their place; or what is wrong. */
export function readConfig(start: Start, file: string): readonly Directive[] | string {
  const text = start.fileText(file);
  if (text === undefined) return `open() "${file}" failed (2: No such file or directory)`;
  const parsed = new Reader(tokensOf(text), file).whole();
  return typeof parsed === 'string' ? parsed : included(start, parsed);
}

function included(start: Start, directives: readonly Directive[]): readonly Directive[] | string {
  const all: Directive[] = [];
  for (const directive of directives) {
    const {name, args, block, file, line} = directive;
    if (name === 'include') {
      for (const path of filesOf(start, args[0] ?? '')) {
        const inner = readConfig(start, path);
        if (typeof inner === 'string') return inner.startsWith('open()') ? `${inner} in ${file}:${line}` : inner;
        all.push(...inner);
      }
    } else if (block && name !== 'types' && name !== 'map') {
      const inner = included(start, block);
      if (typeof inner === 'string') return inner;
      all.push({...directive, block: inner});
    } else all.push(directive);
  }
  return all;
}

function filesOf(start: Start, path: string): string[] {
  const whole = path.startsWith('/') ? path : `/etc/nginx/${path}`;
  const star = whole.indexOf('*');
  if (star < 0) return [whole];
  const folder = whole.slice(0, whole.lastIndexOf('/'));
  const [before = '', after = ''] = whole.slice(folder.length + 1).split('*');
  const names = start.namesIn(folder).filter(name => name.startsWith(before) && name.endsWith(after));
  return names.map(name => `${folder}/${name}`).filter(each => start.fileText(each) !== undefined);
}

class Reader {
  readonly #tokens: readonly Token[];
  readonly #file: string;
  #at = 0;

  constructor(tokens: readonly Token[], file: string) {
    this.#tokens = tokens;
    this.#file = file;
  }

  whole(): readonly Directive[] | string {
    const found = this.#block(0, '');
    return found;
  }

  #block(depth: number, inside: string): readonly Directive[] | string {
    const found: Directive[] = [];
    for (;;) {
      const token = this.#tokens[this.#at++];
      if (!token) return depth === 0 ? found : this.#wrong('unexpected end of file, expecting "}"', this.#lastLine);
      if (token.isMark && token.text === '}') return depth > 0 ? found : this.#wrong('unexpected "}"', token.line);
      if (token.isMark) return this.#wrong(`unexpected "${token.text}"`, token.line);
      const directive = this.#directive(token, {depth, inside});
      if (typeof directive === 'string') return directive;
      found.push(directive);
    }
  }

  #directive(first: Token, {depth, inside}: {readonly depth: number; readonly inside: string}): Directive | string {
    const isFree = inside === 'types' || inside === 'map' || inside === 'geo' || inside === 'split_clients';
    const args: string[] = [];
    for (;;) {
      const token = this.#tokens[this.#at++];
      if (!token) return this.#wrong('unexpected end of file, expecting ";" or "}"', this.#lastLine);
      if (!token.isMark) {
        args.push(token.text);
        continue;
      }
      if (token.text === '}') return this.#wrong('unexpected "}"', token.line);
      if (!isFree && !KNOWN.has(first.text)) return this.#wrong(`unknown directive "${first.text}"`, token.line);
      const base = {name: first.text, args, file: this.#file, line: token.line};
      if (token.text === ';') return base;
      const block = this.#block(depth + 1, first.text);
      return typeof block === 'string' ? block : {...base, block};
    }
  }

  get #lastLine(): number {
    return this.#tokens.at(-1)?.line ?? 1;
  }

  #wrong(what: string, line: number): string {
    return `${what} in ${this.#file}:${line}`;
  }
}

const TOKEN = /\n|#[^\n]*|[{};]|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(?:[^\s{};"'\\$]|\$\{\w+\}|\$|\\.)+|\s/g;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, double, single] = match;
    const quoted = double ?? single;
    if (quoted !== undefined) tokens.push({text: quoted.replaceAll(/\\(["'\\])/g, '$1'), line, isMark: false});
    else if (/^[{};]$/.test(whole)) tokens.push({text: whole, line, isMark: true});
    else if (!whole.startsWith('#') && whole.trim() !== '') tokens.push({text: whole, line, isMark: false});
    line += whole.split('\n').length - 1;
  }
  return tokens;
}
