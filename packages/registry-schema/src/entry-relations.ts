import type { RefusalCode } from "./catalogue.ts";
import type { Entry } from "./entry.ts";
import { instantMs } from "./instant.ts";
import { collidingNames, isLocalOrigin, isLoopbackOrigin, repeatedAt } from "./text.ts";
import { moreSevere } from "./vocabulary.ts";

/** One broken relation between fields of an entry. */
export interface Fault {
  readonly code: RefusalCode;
  /** Path of the field, such as `tools[2].name`. */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
}

type Relation = (entry: Entry) => readonly Fault[];

/**
 * What must hold between the fields of one entry. A leaf that nothing observes is written twice in another form,
 * so that a single edit of it contradicts the rest.
 */
const relations: readonly Relation[] = [
  deploymentFitsDestinations,
  destinationsAreDistinct,
  commandIsTheProgram,
  artifactPathsAreDistinct,
  toolNamesAreDistinct,
  riskClassIsTheMostSevere,
  permissionsAreThoseOfTheTools,
  credentialsStayInside,
  environmentIsAccountedFor,
  pinsCoverTheVersions,
  datesAreInOrder,
  evidenceIsItsOwn,
  transportGoesToADestination,
];

/** Every broken relation, in a fixed order. */
export function brokenRelations(entry: Entry): readonly Fault[] {
  return relations.flatMap((relation) => relation(entry));
}

const invalid = (path: string, expected: string, actual: string): Fault => ({
  code: "registry.field_invalid",
  path,
  expected,
  actual,
});

function deploymentFitsDestinations({ deployment, destinations }: Entry): readonly Fault[] {
  const isLocal = deployment !== "production";
  const wrong = destinations.find(({ origin }) =>
    isLocal ? !isLoopbackOrigin(origin) : isLocalOrigin(origin),
  );
  if (!wrong) return [];
  const expected = isLocal ? "only 127.0.0.1 or [::1]" : "no loopback destination";
  return [
    {
      code: "entry.deployment_mismatch",
      path: "deployment",
      expected,
      actual: `${deployment} with ${wrong.origin}`,
    },
  ];
}

function destinationsAreDistinct({ destinations }: Entry): readonly Fault[] {
  const origins = destinations.map(({ origin }) => origin);
  return repeatedAt(origins).map((i) =>
    invalid(`destinations[${i}].origin`, "each origin once", origins[i] ?? ""),
  );
}

const RUNNER =
  /^(.*[\\/])?(sh|bash|dash|zsh|fish|cmd|powershell|pwsh|env|npx|npm|pnpm|pnpx|yarn|bunx|uvx|xargs|sudo)(\.exe|\.cmd)?$/i;

/** A shell or a package runner runs something else than what was measured, and so does Node told to by an option. */
function commandIsTheProgram({ transport }: Entry): readonly Fault[] {
  if (transport.type !== "stdio") return [];
  const { command, args } = transport;
  if (RUNNER.test(command))
    return [invalid("transport.command", "the program itself, no shell or runner", command)];
  const first = args[0] ?? "";
  return command === "node" && (first === "" || first.startsWith("-"))
    ? [invalid("transport.args[0]", "the script, no option of Node", first || "none")]
    : [];
}

function artifactPathsAreDistinct({ source }: Entry): readonly Fault[] {
  if (!("artifacts" in source)) return [];
  const paths = source.artifacts.map(({ path }) => path);
  return repeatedAt(paths).map((i) =>
    invalid(`source.artifacts[${i}].path`, "each artifact once", paths[i] ?? ""),
  );
}

function toolNamesAreDistinct({ tools }: Entry): readonly Fault[] {
  const names = tools.map(({ name }) => name);
  const repeated = repeatedAt(names).map((i) =>
    invalid(`tools[${i}].name`, "each tool once", names[i] ?? ""),
  );
  const placeOf = new Map(names.map((name, i) => [name, i] as const).toReversed());
  const alike = collidingNames(names).map(([a, b]): Fault => ({
    code: "registry.id_collision",
    path: `tools[${placeOf.get(b)}].name`,
    expected: `a name unlike ${a}`,
    actual: b,
  }));
  return [...repeated, ...alike];
}

function riskClassIsTheMostSevere({ riskClass, tools }: Entry): readonly Fault[] {
  const most = tools.map((tool) => tool.riskClass).reduce(moreSevere);
  return most === riskClass
    ? []
    : [invalid("riskClass", `${most}, the most severe of the tools`, riskClass)];
}

function permissionsAreThoseOfTheTools({ permissions, tools }: Entry): readonly Fault[] {
  const needed = new Set(tools.flatMap((tool) => tool.permissions));
  return sameSet(needed, new Set(permissions))
    ? []
    : [invalid("permissions", `exactly ${list(needed)}`, list(permissions))];
}

function credentialsStayInside({
  credentials,
  destinations,
  permissions,
}: Entry): readonly Fault[] {
  const origins = new Set(destinations.map(({ origin }) => origin));
  const twice = new Set(repeatedAt(credentials.map(({ id }) => id)));
  return credentials.flatMap((credential, i) => [
    ...(twice.has(i)
      ? [invalid(`credentials[${i}].id`, "each credential once", credential.id)]
      : []),
    ...outside(
      credential.destinations,
      origins,
      `credentials[${i}].destinations`,
      "one of the destinations",
    ),
    ...outside(
      credential.scopes,
      new Set(permissions),
      `credentials[${i}].scopes`,
      "one of the permissions",
    ),
  ]);
}

function environmentIsAccountedFor({
  transport,
  credentials,
  configuration,
}: Entry): readonly Fault[] {
  const named = [...credentials, ...configuration].map(({ env }) => env);
  if (transport.type !== "stdio")
    return repeatedAt(named).map((i) =>
      i < credentials.length
        ? invalid(`credentials[${i}].env`, "each variable once", named[i] ?? "")
        : invalid(
            `configuration[${i - credentials.length}].env`,
            "each variable once",
            named[i] ?? "",
          ),
    );
  return sameSet(new Set(named), new Set(transport.env)) && named.length === transport.env.length
    ? []
    : [
        invalid(
          "transport.env",
          `exactly ${list(named)}, each a credential or a setting`,
          list(transport.env),
        ),
      ];
}

function pinsCoverTheVersions({ protocol, surface, tools }: Entry): readonly Fault[] {
  const versions = new Set<string>(protocol.versions);
  const { observedWith: _, ...pinned } = surface;
  const places: readonly (readonly [string, object])[] = [
    ["surface", pinned],
    ...tools.map(({ pins }, i) => [`tools[${i}].pins.definition`, pins.definition] as const),
  ];
  return places.flatMap(([path, value]) => {
    const present = new Set(Object.keys(value));
    const missing = [...versions]
      .filter((v) => !present.has(v))
      .map((v): Fault => ({
        code: "registry.field_missing",
        path: `${path}.${v}`,
        expected: "pins of each admitted version",
        actual: "missing",
      }));
    return [...missing, ...outside([...present], versions, path, "one of protocol.versions")];
  });
}

function datesAreInOrder({ health, evaluation, review }: Entry): readonly Fault[] {
  const spans = [
    ["health.expiresAt", health.observedAt, health.expiresAt],
    ["evaluation.expiresAt", evaluation.observedAt, evaluation.expiresAt],
    ["review.expiresAt", review.reviewedAt, review.expiresAt],
  ] as const;
  return spans.flatMap(([path, from, to]) =>
    instantMs(to) > instantMs(from) ? [] : [invalid(path, `later than ${from}`, to)],
  );
}

function evidenceIsItsOwn({ id, health, evaluation, review }: Entry): readonly Fault[] {
  return Object.entries({ health, evaluation, review }).flatMap(([kind, { evidence }]) => {
    const folder = `evidence/${id}/${kind}/`;
    return evidence.path.startsWith(folder)
      ? []
      : [invalid(`${kind}.evidence.path`, `a file under ${folder}`, evidence.path)];
  });
}

function transportGoesToADestination({ transport, destinations }: Entry): readonly Fault[] {
  if (transport.type !== "streamable-http") return [];
  const { origin } = new URL(transport.url);
  return destinations.some((destination) => destination.origin === origin)
    ? []
    : [invalid("transport.url", "a URL of one of the destinations", origin)];
}

function outside(
  values: readonly string[],
  allowed: ReadonlySet<string>,
  path: string,
  expected: string,
): readonly Fault[] {
  return values
    .filter((value) => !allowed.has(value))
    .map((value) => invalid(path, expected, value));
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((value) => b.has(value));
}

function list(values: Iterable<string>): string {
  return [...values].join(", ") || "none";
}
