/** Acknowledged writes that the database no longer has. */
export interface LostCommits {
  /** Revision of the site after the last acknowledged write of this server. */
  readonly acknowledged: number;
  /** Revision of the site now. */
  readonly found: number;
}
