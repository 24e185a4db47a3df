/** Text that is safe to send as HTML: made by {@link markup}, which escapes every value. */
export interface Markup {
  readonly html: string;
}

type Value = string | number | Markup | readonly Markup[] | undefined;

/** HTML with its values escaped, between tags and inside double-quoted attributes; nested markup is kept. */
export function markup(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return { html: strings.map((text, at) => `${text}${render(values[at])}`).join("") };
}

function render(value: Value): string {
  if (value === undefined) return "";
  if (typeof value === "string") return escape(value);
  if (typeof value === "number") return String(value);
  return "html" in value ? value.html : value.map(({ html }) => html).join("");
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}
