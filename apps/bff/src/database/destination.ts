/** Where an effect sends data, as the entry lists it. */
export interface ItemDestination {
  readonly origin: string;
  readonly dataClasses: readonly string[];
}
