/**
 * For each node of a graph the number of its strongly connected component: two nodes have the same one if each leads
 * to the other. In time linear in nodes and steps (R. Tarjan, Depth-first search and linear graph algorithms, 1972).
 */
export function componentsOf(follow: readonly (readonly number[])[]): readonly number[] {
  const index: (number | undefined)[] = follow.map(() => undefined);
  const low: number[] = follow.map(() => 0);
  const component: (number | undefined)[] = follow.map(() => undefined);
  const open: number[] = [];
  let next = 0;

  const visit = (node: number): void => {
    index[node] = next;
    low[node] = next;
    next += 1;
    open.push(node);
    for (const to of follow[node] ?? []) {
      if (index[to] === undefined) visit(to);
      if (component[to] === undefined) low[node] = Math.min(low[node] ?? 0, low[to] ?? 0);
    }
    if (low[node] !== index[node]) return;
    for (let inside = open.pop(); inside !== undefined; inside = open.pop()) {
      component[inside] = node;
      if (inside === node) break;
    }
  };
  for (const node of follow.keys()) if (index[node] === undefined) visit(node);
  return component.map((of) => of ?? -1);
}
