/** A bundle has .lua files as text: wrangler.toml has a rule for it, and the local stack the plugin in local/workerd. */
declare module "*.lua" {
  const text: string;
  export default text;
}
