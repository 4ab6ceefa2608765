/** Shields at the edge, per location; true = within the limit. */
export type EdgeLimits = {
  player(game: string, player: string): Promise<boolean>;
  address(address: string): Promise<boolean>;
};
