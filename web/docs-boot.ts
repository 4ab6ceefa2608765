/** Shows /openapi.json by Scalar's reference, which docs.html has loaded, and lets it speak to this service alone. */

declare const Scalar: {
  createApiReference(selector: string, configuration: Readonly<Record<string, unknown>>): void;
};

Scalar.createApiReference("#reference", {
  url: "/openapi.json",
  // Requests go straight to this origin: without a proxy, and to no service of the maker's.
  baseServerURL: location.origin,
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
});
