/** `${VAR}`, `$VAR`, `%VAR%`, `{{var}}` and `<var>`: what a client or a template left unexpanded. */
const UNEXPANDED = /\$\{[^}]*\}|^\$\w+$|^%\w+%$|\{\{.*\}\}|<[^>]*>/s;
/** Words that stand for a value in documentation. */
const WORDS =
  /^(change[-_ ]?me|replace[-_ ]?me|place[-_ ]?holder|to[-_ ]?do|redacted|example|none|null|undefined|token|secret|password|bearer|(your|my|the|paste|insert|enter)[-_ ].*|.*[-_ ](here|token))$/i;
/** A run of one character, such as xxxx or ****. */
const RUN = /^(.)\1*$/s;
/** The fixed beginning of an issued credential, so that only what follows is looked at. */
const PREFIX = /^eve_[a-z]+_[a-z]+_/;
/** The random part of an issued credential; by chance it may hold any word, so words are not looked for in it. */
const RANDOM = /^[A-Za-z0-9_-]{43}$/;

/** Whether a credential's text is what documentation or an unexpanded template has in a credential's place. */
export function isPlaceholder(text: string): boolean {
  const body = text.trim().replace(PREFIX, "");
  return RUN.test(body) || (!RANDOM.test(body) && (UNEXPANDED.test(body) || WORDS.test(body)));
}
