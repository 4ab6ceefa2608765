/** wrangler.toml bundles .lua files as text. */
declare module "*.lua" {
  const text: string;
  export default text;
}
