/** The key with all scopes of every stack that tests start. */
export const SERVER_KEY = "eb_test_key_with_all_scopes_000000000";
